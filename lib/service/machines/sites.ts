/** What a server does for sites: slow work as jobs of the server itself, and facts about the sites on it. */
import type { siteLogNames } from '@/lib/contract/fields'
import type { PublicKey } from '@/lib/text/public-key'
import type { CatalogueEntry } from './apps/entry'
import type { FoundApp } from './apps/found'
import type { CopyTarget } from './copy-target'
import type { SiteTable, StagingFacts } from './staged'
import type { SiteTraffic } from './traffic'

/**
 * A site as its server knows it. name: its Linux user, database and database user alike; unique on the server, letters and digits,
 * at most 24 characters. domain and aliases: lower case, in punycode.
 */
export type SiteOnHost = { id: string; name: string; domain: string; aliases: readonly string[] }

/**
 * Where certificates come from. directory: the URL of an ACME directory. roots: PEM certificates that it is verified against, empty for
 * those of the system. contact: an email address, empty for none.
 */
export type Authority = { directory: string; roots: string; contact: string }

/**
 * php: the version, such as 8.2. The limits of an upload and of a program's memory, in MB. folder: below `public`; empty for `public` itself.
 * workers: how many requests PHP works on at the same time. waiting: how many more wait for it in each process of the web server; others get
 * 503 at once. wwwRedirect: the domain's name with `www.`, which has to be an alias, leads to the domain. hstsSeconds: how long browsers that came by
 * https insist on it; 0: they do not. mailPerHour: how many mails its programs may send in an hour through the server's sendmail. Null leaves something as it is.
 */
export type SiteSettings = {
  php: string
  uploadMb: number
  memoryMb: number
  folder: string
  workers: number | null
  waiting: number | null
  wwwRedirect: boolean | null
  hstsSeconds: number | null
  mailPerHour: number | null
}

/** sha256: of the archive, not compressed; empty if it is not known. Nothing of the target is stored on the server. */
export type StoredCopy = { snapshot: string; sha256: string; target: CopyTarget }

/** A name of a site that no certificate may be issued for, and why, as a sentence. */
export type NameRefusal = { name: string; reason: string }

/** tables: of the database; none means all of them with a pull, and is refused with a push. */
export type CopiedParts = { files: boolean; database: boolean; tables: readonly string[] }

/** backup: its name. */
export type RestoredBackup = { backup: string; taken: readonly string[]; authority: Authority }

/**
 * What a job does. refused: names that certificates leave out, whatever the server finds about them. Passwords reach the server by stdin and are
 * deleted there once they are used.
 */
export type SiteWork =
  /**
   * owner: the tag of the account, for the records on the server. restored: the last backup of a deleted site, which is restored into this one;
   * its aliases come back too, but for those among `taken`, names of other sites of the account. Null for an empty site.
   * wwwRedirect: as in SiteSettings.
   */
  | {
      kind: 'create'
      site: SiteOnHost
      password: string
      databasePassword: string
      owner: string
      wwwRedirect: boolean
      restored: RestoredBackup | null
    }
  /**
   * Serves the site by exactly the names that `site` has. If SSL is on, its certificate follows, unless `later` says that more names are
   * about to change.
   */
  | { kind: 'names'; site: SiteOnHost; later: boolean; authority: Authority; refused: readonly NameRefusal[] }
  /** on: gets a certificate for the names that can be reached, and leads http to https. Off keeps the certificate. */
  | { kind: 'ssl'; site: SiteOnHost; on: boolean; authority: Authority; refused: readonly NameRefusal[] }
  /**
   * Copies the site to its staging copy. isNew: makes the copy, and removes what an earlier pull may have left of it. password: for browsers;
   * empty to keep the one that is there. Without files and database, only the password is set.
   */
  | {
      kind: 'pull'
      site: SiteOnHost
      copy: SiteOnHost
      parts: CopiedParts
      isNew: boolean
      password: string
      authority: Authority
      refused: readonly NameRefusal[]
    }
  /**
   * Replaces parts of the site by those of its staging copy, after a backup of the site. replace: also files that changed on the site since
   * the pull, which are kept otherwise.
   */
  | { kind: 'push'; site: SiteOnHost; copy: SiteOnHost; parts: CopiedParts; replace: boolean }
  | { kind: 'settings'; site: SiteOnHost; settings: SiteSettings }
  /** Installs an app on an empty site. password: of the app's administrator. databasePassword: a new one, which the app gets. */
  | { kind: 'app'; site: SiteOnHost; app: CatalogueEntry; password: string; databasePassword: string }
  /** on: forwards mail to the site's domain and lets its addresses send. Off keeps the addresses. */
  | { kind: 'email'; site: SiteOnHost; on: boolean }
  /** Makes a backup, and verifies it. */
  | { kind: 'backup'; site: SiteOnHost }
  /**
   * backup: its name. backupFirst: make one of the present site first. If anything fails, the site stays as it was. A site that was created again
   * gets back what it was, but for aliases that are among `taken`, names of other sites of the account. copy: where the backup is brought back from
   * first; null for one that is on the server.
   */
  | {
      kind: 'restore'
      site: SiteOnHost
      backup: string
      backupFirst: boolean
      taken: readonly string[]
      authority: Authority
      copy: StoredCopy | null
    }
  /** Writes an archive for readDownload, which the server deletes after a quarter of an hour. */
  | { kind: 'download'; site: SiteOnHost }
  /**
   * Sends the newest verified backup to a repository outside of the server. Nothing of `target` is stored on the server. of: whose backup; that of the
   * server itself has what serverOnHost returns in the place of a site.
   */
  | { kind: 'copy'; of: 'site' | 'server'; site: SiteOnHost; target: CopyTarget }
  /** Reads a copy back as a restore would, and compares it; the site is not touched, and nothing of it stays. backup: its name. */
  | { kind: 'prove'; site: SiteOnHost; backup: string; copy: StoredCopy }
  /** backup: make a last backup first; without room for it the job fails before any change. owner: for its record. */
  | { kind: 'delete'; site: SiteOnHost; backup: boolean; owner: string }

/**
 * One line of a job, numbered from 1. problem: on a `failed` line, the code of a refusal before any change, or of cancelled work that is
 * taken back; without one, something went wrong.
 * halfDone: on a `failed` line, the site is now neither what it was nor what was wanted; without it, it is what it was.
 * answer: on the last line, what the operation answers: for a deletion, the path of the last backup on the server; for an app, the address at which
 * its administrator signs in; for a restore, the folder with the former files; for a download, the bytes of the archive; for a pull, the address of
 * the staging copy; for a push, the name of the backup that was made first; for a copy, what copied-backup.ts reads; for a proof, what proven-copy.ts reads. aliases: on the last line of a restore, those that the site has got.
 */
export type SiteJobLine = {
  line: number
  step: string
  progress: number
  status: 'running' | 'done' | 'failed'
  message: string
  error?: string
  problem?: 'not_installed' | 'changed_meanwhile' | 'unsuitable' | 'cancelled'
  halfDone?: true
  answer?: string
  aliases?: readonly string[]
}

/**
 * The certificate of a site. names: those it covers. issued, expires: ISO 8601. leftOut: names of the site that it does not cover, with a
 * sentence that says why. problem: why the newest attempt to renew it failed, as a sentence; empty if it did not.
 */
export type Certificate = {
  names: readonly string[]
  issued: string
  expires: string
  leftOut: readonly { name: string; reason: string }[]
  problem: string
}

/**
 * usedBytes: files and database; null if unknown. answers: whether the server's own web server answered a request for the domain.
 * ssl, mail: whether it is switched on. certificate: kept while it is off. settings: null if unknown.
 * backupAt: when the newest backup was made, ISO 8601; empty without one. app: null if the site has none that is known, absent if none was looked for.
 */
export type SiteFacts = {
  usedBytes: number | null
  answers: boolean
  ssl: boolean
  mail: boolean
  certificate: Certificate | null
  settings: ShownSettings | null
  backupAt: string
  app?: Pick<FoundApp, 'app' | 'version'> | null
}

/**
 * A limit or number is null if an admin wrote something else there, mailPerHour if the server does not limit mail. mailHeldUntil: ISO 8601, while the
 * limit is reached; else empty. versions: to choose from; the present one may be missing, and then no
 * program of the site runs. extensions: of PHP.
 */
export type ShownSettings = Omit<SiteSettings, 'uploadMb' | 'memoryMb'> & {
  uploadMb: number | null
  memoryMb: number | null
  mailHeldUntil: string
  versions: readonly string[]
  extensions: readonly string[]
}

/**
 * What a certificate authority would find if it asked for a name. blocked: it would not find the site; reason: a sentence, empty for ready.
 */
export type NameCheck = { name: string; result: 'ready' | 'warning' | 'blocked'; reason: string }

/** access: one line per request. error: what the web server could not do. php: errors of the site's programs. */
export type SiteLog = (typeof siteLogNames)[number]

/** user: what is before the @ of the site's domain. destination: the address that its mail is forwarded to. */
export type SiteAddress = { user: string; destination: string }

/** A key with which the user of a site signs in by SFTP. line: empty if the server limits it by options. */
export type SiteKey = PublicKey

/** No site needs more, and each login may try all of them. */
export const maxSiteKeys = 20

/** key: the public half of the key that mail is signed with, base64; empty until email was on once. */
export type SiteMail = { on: boolean; key: string; addresses: readonly SiteAddress[] }

/** found: null if the site has no app that is known. php: the site's version; empty if unknown. packages: by name, the version that the server would get. */
export type AppFacts = { found: FoundApp | null; php: string; packages: ReadonlyMap<string, string> }

/** What a backup was made for. Those made before something else are kept for seven days, and of nightly ones the newest seven. */
export type BackupReason = 'manual' | 'nightly' | 'restore' | 'push' | 'delete'

/**
 * madeAt: seconds since 1970. proven: verified when it was made, and not changed since. aliases: that a restore brings back, unless other sites
 * have them by now.
 */
export type SiteBackup = { name: string; bytes: number; madeAt: number; proven: boolean; reason: BackupReason; aliases: readonly string[] }

/**
 * The last backup of a site that was deleted. domain, siteId: of that site. format: of the archive. owner: the tag of the account that the site
 * belonged to. Empty, or null, if the archive does not say.
 */
export type LastBackup = SiteBackup & { domain: string; format: number | null; siteId: string; owner: string }

export type Sites = {
  /**
   * Starts a job, or does nothing if it was started under this id before: a job never runs twice. Resolves once the server has it.
   * Jobs that need the same run one after the other, in this order, and the lines of those that wait say for what: those of one site, those that
   * archive a site, and those that change one. Throws MachineFailure busy while an install runs, or if too many jobs wait.
   */
  start(jobId: string, work: SiteWork): Promise<void>
  /**
   * Lines of a job after `afterLine` until it ends. Reattaches after a lost connection. A job that died without a final line (reboot,
   * kill) is cleaned up after and yields one last `failed` line; so does one that the server never heard of.
   */
  follow(jobId: string, afterLine: number, signal: AbortSignal): AsyncIterable<SiteJobLine>
  /**
   * Cancels a job, which then takes back what it has done and ends with `cancelled`. ended: it has ended, or was never received. late: it is past what
   * can be taken back, says so, and continues.
   */
  cancel(jobId: string): Promise<'cancelled' | 'ended' | 'late'>
  /** Deletes a finished job's files from the server. */
  forget(jobId: string): Promise<void>
  /**
   * One round trip for any number of sites. catalogue: the apps to look for; without it, the facts name no app. By site name: no entry for a site that is not on the server, null for one that is there and was
   * not asked because the others took too long.
   */
  facts(sites: readonly SiteOnHost[], catalogue?: readonly CatalogueEntry[]): Promise<ReadonlyMap<string, SiteFacts | null>>
  /** Asks for each name of a site over all its addresses, as a certificate authority does. Throws MachineFailure changed_meanwhile. */
  checkNames(site: SiteOnHost): Promise<NameCheck[]>
  /**
   * The last part of a log; empty if nothing was written. Throws MachineFailure changed_meanwhile if the site is not there, invalid if the
   * log is a link to elsewhere.
   */
  readLog(site: SiteOnHost, log: SiteLog): Promise<string>
  /** Throws MachineFailure changed_meanwhile if the site is not there. */
  traffic(site: SiteOnHost): Promise<SiteTraffic>
  /** Recognises the app of a site, also one that was put there by hand. Throws MachineFailure changed_meanwhile if the site is not there. */
  findApp(site: SiteOnHost, catalogue: readonly CatalogueEntry[]): Promise<AppFacts>
  /** The tables of a site's database, by name. Throws MachineFailure changed_meanwhile if the site is not there. */
  tables(site: SiteOnHost): Promise<SiteTable[]>
  /** Throws MachineFailure changed_meanwhile if the site is not there. */
  mail(site: SiteOnHost): Promise<SiteMail>
  /**
   * Adds an address or changes it. password: for sending, which works while the site has SSL; empty keeps the present one, and an address without
   * one cannot send. Throws MachineFailure unsuitable with the reason, such as that the mail would come back.
   */
  saveAddress(site: SiteOnHost, address: SiteAddress, password: string): Promise<void>
  /** Throws MachineFailure changed_meanwhile if there is no such address. */
  deleteAddress(site: SiteOnHost, user: string): Promise<void>
  /** As they are in the server's file. Throws MachineFailure changed_meanwhile if the site is not there. */
  keys(site: SiteOnHost): Promise<SiteKey[]>
  /** Throws MachineFailure unsuitable with the reason: the site has this key, or enough of them, or the server's SSH takes none. */
  addKey(site: SiteOnHost, key: PublicKey): Promise<void>
  /** Throws MachineFailure changed_meanwhile if there is no such key. */
  removeKey(site: SiteOnHost, fingerprint: string): Promise<void>
  /** copy: null if the site has none. Throws MachineFailure changed_meanwhile if the site is not there. */
  staging(site: SiteOnHost, copy: SiteOnHost | null): Promise<StagingFacts>
  /**
   * Changes the password of a site's database user, and the one in the configuration of WordPress if that uses the database. Resolves
   * with the paths of the files that were rewritten. Throws MachineFailure; the old password is then still valid.
   */
  setDatabasePassword(site: SiteOnHost, password: string): Promise<string[]>
  /** The newest first. Throws MachineFailure changed_meanwhile if the site is not there. */
  listBackups(site: SiteOnHost): Promise<SiteBackup[]>
  /** Skips names that are not there, and whatever is no backup of the site. Throws MachineFailure changed_meanwhile if the site is not there. */
  deleteBackups(site: SiteOnHost, names: readonly string[]): Promise<void>
  /** Writes whom sites belong to into their records, where these do not say it. owner: the tag of the account. */
  claim(owner: string, ids: readonly string[]): Promise<void>
  /** The last backups of sites that were deleted, of all accounts, the newest first. */
  listLastBackups(): Promise<LastBackup[]>
  /** Skips names that are not there, and whatever is no such backup. */
  deleteLastBackups(names: readonly string[]): Promise<void>
  /** The archive that a job has made, from a byte on, as it arrives. Throws MachineFailure changed_meanwhile if it is gone. */
  readDownload(jobId: string, fromByte: number, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** Deletes that archive. */
  removeDownload(jobId: string): Promise<void>
}
