/** The settings of sandbox sites, and which of them are refused. */
import type { ShownSettings, SiteSettings, SiteWork } from '../sites'
import type { SandboxModel, SandboxSite, SandboxSiteJob } from './model'

/** As an install brings them. */
const extensions = [...'bcmath ctype curl gd imagick intl mbstring mysqli opcache pdo redis xml zip'.split(' ')]

/** Those of the packages that are installed. */
const versionsOf = ({ packages }: SandboxModel): string[] =>
  Object.keys(packages).flatMap((name) => /^php(\d+\.\d+)-fpm$/.exec(name)?.[1] ?? [])

export const newSettings: SandboxSite['settings'] = {
  php: '',
  uploadMb: 64,
  memoryMb: 256,
  folder: '',
  workers: 10,
  waiting: 30,
  wwwRedirect: false,
  hstsSeconds: 0,
  mailPerHour: 200,
}

/** Sites whose domain begins with `oldphp.` were created with a version that is no longer installed. */
export function describeSettings(machine: SandboxModel, { domain, settings }: SandboxSite): ShownSettings {
  const versions = versionsOf(machine)
  const first = domain.startsWith('oldphp.') ? '7.4' : (versions[0] ?? '')
  return { ...settings, php: settings.php || first, mailHeldUntil: '', versions, extensions }
}

export const changeSettings = (
  before: SandboxSite['settings'],
  { workers, waiting, wwwRedirect, hstsSeconds, mailPerHour, ...wanted }: SiteSettings,
): SandboxSite['settings'] => ({
  ...wanted,
  workers: workers ?? before.workers,
  waiting: waiting ?? before.waiting,
  wwwRedirect: wwwRedirect ?? before.wwwRedirect,
  hstsSeconds: hstsSeconds ?? before.hstsSeconds,
  mailPerHour: mailPerHour ?? before.mailPerHour,
})

/** Folders whose name begins with `missing` are not there. */
export function refuseSettings(
  machine: SandboxModel,
  { site, settings }: Extract<SiteWork, { kind: 'settings' }>,
): SandboxSiteJob['failure'] {
  const { php, folder, wwwRedirect, hstsSeconds } = settings
  const present = machine.sites.find(({ id }) => id === site.id)
  const refuse = (error: string) => ({ step: 'Check the server', problem: 'unsuitable' as const, error })
  if (!versionsOf(machine).includes(php)) {
    return refuse(`PHP ${php} is not installed on this server with its module for MariaDB. Choose another version; nothing was changed.`)
  }
  const www = `www.${site.domain}`
  if (wwwRedirect && !present?.settings.wwwRedirect && !site.aliases.includes(www)) {
    return refuse(`${www} is no alias of the site. Add it first; nothing was changed.`)
  }
  if (hstsSeconds && hstsSeconds !== present?.settings.hstsSeconds && !present?.ssl) {
    return refuse('SSL of the site is off. Turn it on first; nothing was changed.')
  }
  return folder.startsWith('missing') ? refuse(`There is no folder public/${folder}. Upload it first; nothing was changed.`) : null
}
