/** Test files that take long, by name: tests/run/slow-files.test.ts sees to it that each is still there. */

/**
 * Unit files that wait or compute for eight seconds and more, with the reason: `npm test -- --quick` leaves them out. Everything
 * else runs them.
 * @type {Readonly<Record<string, string>>}
 */
export const slowFiles = {
  'tests/portal/spine/locked-database.test.ts': 'holds the write lock for half a minute',
  'tests/service/process.test.ts': 'starts and kills the service as a process',
  'tests/portal/subjects/copies/planted-faults.test.ts': 'plants a hundred faults in copies, each of which restic reads',
  'tests/portal/jobs/prove-copy.test.ts': 'makes the copies of a thousand nights',
  'tests/service/odd-requests.test.ts': 'waits until a slow body is refused after 30 s',
  'tests/portal/several-portals/kills.test.ts': 'kills, stops and cuts off portals for two minutes',
  'tests/database/several-versions.test.ts': 'waits until portals count as gone',
  'tests/portal/jobs/relay/killed.test.ts': 'starts and kills portals as processes',
  'tests/service/clients/dialects.test.ts': 'calls all operations in twelve encodings',
  'tests/portal/entry/front/gate.test.ts': 'sends bodies of 100 MB, and slow ones',
  'tests/service/conformance/sandbox.test.ts': 'watches whole installs and a reboot',
  'tests/portal/jobs/relay/viewers.test.ts': 'waits until open streams end',
  'tests/architecture/borders.test.ts': 'adds a violation of each import rule; npm run check applies the rules to the project',
  'tests/portal/jobs/relay/content-types.test.ts': 'lets twelve installs fall silent',
  'tests/service/install-stream.test.ts': 'reads whole installs',
  'tests/portal/spine/failing-database.test.ts': 'fails each statement in turn',
  'tests/portal/subjects/servers/large-lists.test.ts': 'reads lists of 60,000 servers',
  'tests/service/keys.test.ts': 'runs each command as a process',
  'tests/portal/jobs/relay/floods.test.ts': 'floods the relay for ten seconds',
  'tests/portal/subjects/sampling/sampler.test.ts': 'waits for rounds of the sampler',
  'tests/service/silent-hosts.test.ts': 'waits ten seconds for hosts that never speak',
  'tests/portal/spine/silent-host.test.ts': 'waits for a host that never speaks',
  'tests/portal/jobs/relay/silence.test.ts': 'waits through silences',
  'tests/portal/identity/sign-in-log.test.ts': 'starts portals as processes',
  'tests/service/locked-database.test.ts': 'lets a lock come and go',
  'tests/database/claim.test.ts': 'has processes compete for a database',
  'tests/portal/entry/keys-command.test.ts': 'runs each command as a process',
}

/**
 * The longest of all, in the order in which they start, so that no worker is left alone with one at the end. Those of hosts and
 * browsers wait for machines and silences more than they compute.
 */
export const longest = [
  'tests/browser/main-job.test.ts',
  'tests/hosts/install.test.ts',
  'tests/hosts/site-faults.test.ts',
  'tests/browser/foreign-install.test.ts',
  'tests/browser/foreign-server-pages.test.ts',
  'tests/browser/foreign-walk.test.ts',
  'tests/browser/security.test.ts',
  'tests/browser/server-state.test.ts',
  'tests/launcher/up.test.ts',
  'tests/launcher/deb.test.ts',
  'tests/launcher/upgrade-release.test.ts',
  'tests/launcher/release.test.ts',
  'tests/browser/pages.test.ts',
  'tests/hosts/firewall.test.ts',
  'tests/browser/security-without-proxy.test.ts',
  'tests/hosts/conformance.test.ts',
  'tests/hosts/lived-in/limited.test.ts',
  'tests/launcher/ready-beneath.test.ts',
  'tests/hosts/install-failure.test.ts',
  'tests/hosts/lived-in/mod-php.test.ts',
  'tests/portal/spine/locked-database.test.ts',
  'tests/service/process.test.ts',
  'tests/service/odd-requests.test.ts',
  'tests/portal/jobs/relay/killed.test.ts',
]
