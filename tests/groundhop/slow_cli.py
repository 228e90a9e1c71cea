"""The command line over the scripted three-hop question, each call of which takes PAUSE seconds."""

import os
from pathlib import Path

from groundhop import ask
from groundhop.cli import main
from tests.graph.three_hops import three_hop_agent

if __name__ == "__main__":
    home = Path(os.environ["GROUNDHOP_HOME"])
    ask.open_agent = lambda _: three_hop_agent(home, float(os.environ["PAUSE"]))
    main()
