"""The club at work: one pipeline from a mail to its outcome, the clocks, the way out, what the operator does.

Everything beneath is functions from values to values; here they are wired in order, each mail in one transaction.
"""
