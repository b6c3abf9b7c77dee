"""Run by the name of this folder, so that no other folder is searched for modules."""
from gatehouse_host.main import main

main()
