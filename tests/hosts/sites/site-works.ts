/** The work on a site that is disturbed: what it needs before, and how it is taken back. */
import { readCatalogue } from '@/lib/service/machines/apps/catalogue'
import type { Authority, SiteOnHost, SiteSettings, SiteWork } from '@/lib/service/machines/sites'
import type { AdmittedHost } from '../reach'
import type { Allowed } from './faults'
import {
  backingUp,
  changingSettings,
  creation,
  deletion,
  endOf,
  naming,
  pulling,
  pushing,
  restoring,
  siteNamed,
  switchingEmail,
  switchingSsl,
  visit,
} from './site-job'

export type Disturbed = {
  title: string
  /** Brings the host to where the work begins. */
  prepare(): Promise<void>
  work: SiteWork
  /** Brings it back there after the work was done. */
  undo(): Promise<void>
  /** What the site holds and answers, where the work changes that. */
  content?(): Promise<string>
  /** What it answers throughout: the one or the other, never neither. */
  answers?: Allowed
}

/** By its job, with passwords that tests know. */
export function installing(site: SiteOnHost, app: string, catalogue = readCatalogue()): SiteWork {
  const entry = catalogue.find((each) => each.app === app)
  if (!entry) throw new Error(`${app} is not in the catalogue`)
  return { kind: 'app', site, app: entry, password: appPassword, databasePassword: `${appPassword}-of-the-database` }
}

/** As the service makes them: without a sign that a file could escape. */
export const appPassword = 'kS3qNf-2vB_7yTz0pLmW9xRc'

/** www.two.test has to lead to the host, as two.test does. php: the version that sites get. */
export function disturbedWorks({ host, machine }: Pick<AdmittedHost, 'host' | 'machine'>, authority: Authority, php: string): Disturbed[] {
  const site = siteNamed('twofault3c4d', 'two.test')
  const more = { ...site, aliases: ['www.two.test'] }
  const copy = siteNamed('twocopy5e6f', 'staging.two.test')
  const must = async (work: SiteWork) => {
    const end = await endOf(machine, work)
    if (end?.status !== 'done') throw new Error(`${work.kind}: ${end?.error}`)
  }
  const remove = () => must(deletion(site, false))
  const plain = async () => {
    await remove()
    await must(creation(site))
  }
  const switchOn = () => must(switchingSsl(site, true, authority))
  const withFolder = async () => {
    await plain()
    await host.run(`runuser -u ${site.name} -- mkdir /home/${site.name}/public/web`)
  }
  const setting = (given: Partial<SiteSettings>): SiteWork => changingSettings(site, php, given)
  const secured = async () => {
    await plain()
    await switchOn()
  }
  const mail = (on: boolean) => must(switchingEmail(site, on))
  /** What the first switch sets up stays when email is off again. */
  const mailed = async () => {
    await machine.setHostname('mail.lab.test')
    await plain()
    await mail(true)
    await mail(false)
  }
  const backup = 'two.test-20260101-000000-manual.tar.zst'
  const forgetReplaced = async () => {
    await host.run(`rm -rf /home/${site.name}/.replaced; mariadb -e 'DROP DATABASE IF EXISTS \`gatehouse-kept-${site.name}\`'`)
  }
  /** The name of the newest backup. */
  const backedUp = async (): Promise<string> => {
    await must(backingUp(site))
    const [newest] = await machine.sites.listBackups(site)
    if (!newest) throw new Error('There is no backup.')
    return newest.name
  }
  const passwordHash = `mariadb -NBe "SELECT JSON_VALUE(Priv, '$.authentication_string') FROM mysql.global_priv WHERE User = '${site.name}'"`
  /** A page and a row that say the same, and a trigger, which an exchange of tables has to make again. */
  const fill = async ({ name }: SiteOnHost, text: string) => {
    const { code, stderr } = await host.run(
      `mariadb ${name} && cd /home/${name}/public && printf ${text} >text.txt && chown ${name}: text.txt && systemctl reload 'gatehouse-php*@${name}.service'`,
      {
        stdin: `CREATE TABLE IF NOT EXISTS notes (text VARCHAR(9) PRIMARY KEY) ENGINE=InnoDB; CREATE TABLE IF NOT EXISTS kept LIKE notes;
          DROP TRIGGER IF EXISTS keeping; DELETE FROM notes; INSERT INTO notes VALUES ('${text}');
          CREATE DEFINER = \`${name}\`@localhost TRIGGER keeping AFTER DELETE ON notes FOR EACH ROW INSERT IGNORE INTO kept VALUES (OLD.text);`,
      },
    )
    if (code !== 0) throw new Error(stderr)
  }
  /** Also whether its programs still get into its database. */
  const content = async () => {
    const held = await host.run(`mariadb -NBe 'SELECT text FROM notes; SHOW TRIGGERS' ${site.name} | cut -f 1-5; ${passwordHash}`)
    return `${held.stdout}${held.stderr}${await visit(host, site.domain, '/text.txt')}`
  }
  const ofApp = async () => {
    const { stdout } = await host.run(`mariadb -NBe 'SHOW TABLES' ${site.name}; ${passwordHash}`)
    return `${stdout}${(await visit(host, site.domain)).slice(0, 50)}`
  }
  const ofMail = async () => (await host.run('postconf -n; postconf -Mf; ufw show added')).stdout
  const answering = (path: string, ...oneOf: string[]): Allowed => ({ domain: site.domain, path, oneOf })
  /** So that the next time orders one. */
  const loseCertificate = async () => void (await host.run(`rm -f /etc/gatehouse/sites/${site.name}/certificate/*`))
  return [
    { title: 'creating a site', prepare: remove, work: creation(site), undo: remove },
    { title: 'a further name', prepare: plain, work: naming(more), undo: () => must(naming(site)) },
    {
      title: 'switching SSL on',
      prepare: plain,
      work: switchingSsl(site, true, authority),
      undo: async () => {
        await must(switchingSsl(site, false, authority))
        await loseCertificate()
      },
    },
    { title: 'a further name with SSL', prepare: secured, work: naming(more, authority), undo: () => must(naming(site, authority)) },
    {
      title: 'a name less with SSL',
      async prepare() {
        await secured()
        await must(naming(more, authority))
      },
      work: naming(site, authority),
      undo: () => must(naming(more, authority)),
    },
    { title: 'switching SSL off', prepare: secured, work: switchingSsl(site, false, authority), undo: switchOn },
    {
      title: 'other settings',
      prepare: withFolder,
      undo: withFolder,
      work: setting({ uploadMb: 5, memoryMb: 64, folder: 'web', workers: 5 }),
    },
    {
      title: 'installing an app',
      prepare: plain,
      work: installing(site, 'wordpress'),
      undo: plain,
      content: ofApp,
      answers: answering('/', 'This site is ready', 'wp-content'),
    },
    { title: 'switching email on', prepare: mailed, work: switchingEmail(site, true), undo: () => mail(false), content: ofMail },
    {
      title: 'switching email off',
      async prepare() {
        await mailed()
        await mail(true)
      },
      work: switchingEmail(site, false),
      undo: () => mail(true),
      content: ofMail,
    },
    {
      title: 'restoring a backup',
      async prepare() {
        await plain()
        await fill(site, 'before')
        const name = await backedUp()
        await fill(site, 'after')
        const folder = '/var/backups/gatehouse-sites'
        await host.run(`cd ${folder} && mv ${name} ${backup} && mv .${name}.proven .${backup}.proven`)
        // The first one loads a module of Apache, which stays.
        await must(restoring(site, backup))
        await forgetReplaced()
        await fill(site, 'after')
      },
      work: restoring(site, backup),
      async undo() {
        await forgetReplaced()
        await fill(site, 'after')
      },
      content,
      answers: answering('/text.txt', 'before', 'after', 'HTTP/1.1 503'),
    },
    {
      title: 'pushing a staging copy',
      async prepare() {
        await plain()
        await fill(site, 'live')
        await must(pulling(site, copy, authority))
        await fill(copy, 'staging')
      },
      // What the undo writes to live would be kept by the next push.
      work: pushing(site, copy, ['notes', 'kept'], true),
      undo: () => fill(site, 'live'),
      content,
      answers: answering('/text.txt', 'live', 'staging'),
    },
    { title: 'deleting a site', prepare: plain, work: deletion(site), undo: () => must(creation(site)) },
  ]
}
