"""Takes steps of UFW with UFW's own code, in one process: its parser, its list, its writer of files.

Only what it asks and tells iptables goes another way, with the same outcome: a start of iptables for each question and
each line is most of what a call of ufw costs.

Arguments: of each step the number of its words and its words. Standard input: the rules that the steps were planned by, as
read_rules prints them.
Ends with 75 where other rules are there, 65 where UFW or the kernel does not take a step (nothing is changed then),
64 where this is another UFW than the one we know: then nothing was tried."""

import os
import sys

sys.path.append("/usr/lib/python3/dist-packages")
sys.argv[0] = "/usr/sbin/ufw"

known = ('version = "0.36.2"\n',)
files = ["/etc/ufw/user.rules", "/etc/ufw/user6.rules"]


class Later:
    """A module that UFW imports and our steps do not use: loading it waits until something of it is wanted."""

    def __init__(self, name):
        self.name = name
        sys.modules[name] = self

    def __getattr__(self, wanted):
        if wanted.startswith("__"):
            raise AttributeError(wanted)
        if sys.modules.get(self.name) is self:
            del sys.modules[self.name]
        return getattr(__import__(self.name), wanted)


def load():
    """UFW's modules, or the end."""
    import builtins

    builtins._ = lambda said: said
    for name in ("configparser", "inspect"):
        Later(name)
    try:
        with open(sys.argv[0], encoding="utf-8") as program:
            if not any(line in known for line in program):
                sys.exit(64)
        import ufw.frontend
    except (ImportError, OSError):
        sys.exit(64)
    return ufw


ufw = load()
iptables = ufw.backend_iptables
Backend = iptables.UFWBackendIptables
run = iptables.cmd
ask_kernel = Backend.initcaps
additions = {}


def command(words):
    """In the place of UFW's cmd: [exit code, output]. Additions wait to be made together, and whether their chains are there,
    which UFW asks before each, is found out then. After each it takes out a RETURN that its first releases left behind:
    the chains that our steps add to have none in its files."""
    exe, asked = words[0], [word for word in words[1:] if word != "-n"]
    if asked[0] == "-L" and len(asked) == 2:
        return [0, ""]
    if asked[0] == "-D" and asked[2:] == ["-j", "RETURN"]:
        return [1, ""]
    if asked[0] == "-A":
        additions.setdefault(exe, []).append(" ".join(map(quote, asked)))
        return [0, ""]
    return run(words)


def quote(word):
    """As UFW writes the words of a rule into its files."""
    return '"%s"' % word if " " in word else word


def restore(text_of):
    """Gives iptables-restore of each family its text, both at once: each is one commit, which succeeds whole or not at all."""
    from subprocess import PIPE, Popen

    started = []
    for exe, text in text_of.items():
        process = Popen([exe + "-restore", "-w", "5", "-n"], stdin=PIPE)
        started.append(process)
        process.stdin.write(text)
        process.stdin.close()
    if any([process.wait() != 0 for process in started]):
        raise ufw.common.UFWError("the kernel does not take the rules")


def add(backend):
    """Makes the additions that wait. Where they cannot be made some chain is not there, and the files are loaded, as UFW does."""
    waiting = {exe: "*filter\n%s\nCOMMIT\n" % "\n".join(lines) for exe, lines in additions.items()}
    additions.clear()
    try:
        restore({exe: text.encode() for exe, text in waiting.items()})
    except ufw.common.UFWError:
        load_files(backend)


def load_files(self):
    """In the place of _reload_user_rules, which empties chains one by one first: the files name all of them, and so a restore
    does it itself, in its one commit."""
    if not self.is_enabled():
        return
    families = [(self.iptables, "rules")] + ([(self.ip6tables, "rules6")] if self.use_ipv6() else [])
    texts = {exe: read(self.files[name]) for exe, name in families}
    chains = b"\n".join(texts.values()).decode("utf-8", "replace")
    if all(":%s " % chain in chains for chain in self.chains["user"]):
        additions.clear()
        restore(texts)
    else:
        reload(self)


def know_limits(self):
    """In the place of initcaps, which tries the kernel with chains of its own: UFW wrote these chains because it had tried."""
    if self.caps is None and all(b"-user-limit - " in read(self.files[name]) for name in ("rules", "rules6")):
        self.caps = {"limit": {"4": True, "6": True}}
    else:
        ask_kernel(self)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def read_rules():
    lines = [(path.encode(), line) for path in files for line in read(path).split(b"\n")]
    return b"\n".join(b"%s:%s" % (path, line) for path, line in lines if line.startswith(b"### tuple ###"))


def steps():
    words = sys.argv[1:]
    while words:
        count = int(words[0])
        yield words[1 : count + 1]
        words = words[count + 1 :]


def take(words):
    asked = ufw.frontend.parse_command(["ufw", *words])
    frontend = ufw.frontend.UFWFrontend(False)
    frontend.do_action(asked.action, asked.data.get("rule", ""), asked.data.get("iptype", ""), asked.force)
    add(frontend.backend)


def take_all():
    # UFW itself reads before it waits for whoever has the lock.
    lock = ufw.util.create_lock()
    if read_rules() != sys.stdin.buffer.read():
        sys.exit(75)
    before = [read(path) for path in files]
    try:
        for words in steps():
            take(words)
    except (Exception, SystemExit) as error:
        for path, text in zip(files, before):
            with open(path, "wb") as file:
                file.write(text)
        load_files(Backend(False))
        sys.stderr.write("%s\n" % error)
        sys.exit(65)
    finally:
        ufw.util.release_lock(lock)


reload = Backend._reload_user_rules
iptables.cmd = command
Backend._reload_user_rules = load_files
Backend.initcaps = know_limits
# Asked for at each start and looked at for applications alone, which no step of ours names.
ufw.util.get_iptables_version = lambda exe=None: "1.8"
ufw.applications.get_profiles = lambda folder: {}
take_all()
# Nothing is left to be written, and an orderly end of Python takes time.
os._exit(0)
