"""`python -m groundhop` is the command `groundhop`."""

from groundhop.cli import main

main()
