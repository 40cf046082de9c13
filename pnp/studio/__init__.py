"""`pnp studio`: a page to design with, served on this machine only.

    controls   the options of all components as data for the page
    asked      what a page asks for, untrusted, becomes Options, or says what is wrong and where
    drawing    a page as SVG with what is known about it; files to download
    kinds      the kinds of tiles of a set, each with its picture and its number
    worker     the process that draws: reads tasks, writes answers
    bench      the same process seen from the server: limits, the latest wins
    guard      which requests are let in
    server     HTTP

The page in `templates/studio/` is plain HTML, CSS and JavaScript.
"""
