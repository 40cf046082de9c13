"""Against real servers: Dovecot and Exim of Debian's packages, on loopback, thrown away afterwards."""
