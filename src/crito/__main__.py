"""`python -m crito` is the command `crito`."""

from crito.cli import main

if __name__ == "__main__":
    main()
