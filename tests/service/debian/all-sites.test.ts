/** What the summary says of all sites: all-sites.bash, run by this machine's own bash over sites in a folder. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

const script = readScript('facts/all-sites.bash')

/** Every program that these functions could start. */
const programs = ['awk', 'cat', 'cut', 'date', 'find', 'grep', 'openssl', 'paste', 'perl', 'sed', 'sort', 'tail', 'tr']

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-sites-'))
  await mkdir(join(folder, 'vhosts'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const bash = (commands: string, before = '') =>
  execFileSync(
    'bash',
    ['--norc', '-c', `${script}\nsites_home=${folder}/sites vhosts_home=${folder}/vhosts\n${before}\nread_records\n${commands}`],
    {
      encoding: 'utf8',
    },
  )

const makeCertificate = (days: number) =>
  execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout - -days ${days} -subj /CN=a.example`.split(' '),
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )

type Site = { certificate?: string; failure?: string; ssl?: boolean; record?: string }

async function addSite(name: string, { certificate = '', failure = '', ssl = true, record = 'state 3\n' }: Site): Promise<void> {
  const home = join(folder, 'sites', name)
  await mkdir(join(home, 'certificate'), { recursive: true })
  await writeFile(join(home, 'site'), `id id-of-${name}\n${record}domain ${name}.example\n`)
  if (certificate !== '') await writeFile(join(home, 'certificate/served.pem'), certificate)
  if (failure !== '') await writeFile(join(home, 'certificate/failure'), failure)
  await writeFile(
    join(folder, 'vhosts', `zz-gatehouse-${name}.conf`),
    `<VirtualHost *:443>\n${ssl ? '  SSLEngine on\n' : ''}</VirtualHost>\n`,
  )
}

test('the life of each certificate is the one that openssl says, also beyond 2049; what is none is left out', async () => {
  const [soon, late] = [makeCertificate(1), makeCertificate(20_000)]
  await addSite('one', { certificate: soon })
  // The chain comes after it.
  await addSite('two', { certificate: `${late}${soon}` })
  await addSite('three', { certificate: 'no certificate' })
  const files = ['one', 'two', 'three', 'four'].map((name) => join(folder, `sites/${name}/certificate/served.pem`))
  const told = files.slice(0, 2).map((file) => {
    const said = bash(`certificate=${file}; certificate_times`)
    return `${said.trim()} ${file}\n`
  })
  expect(told.join('')).toMatch(/^\d+ \d+ .*\n\d+ \d+ /)
  expect(bash(`list_lives ${files.join(' ')}`)).toBe(told.join(''))
})

test('certificates that fail are those that end, are missing or were not renewed twice, of sites with SSL', async () => {
  const good = makeCertificate(90)
  const short = makeCertificate(1)
  await addSite('good', { certificate: good })
  await addSite('once', { certificate: good, failure: '1\tIt did not answer.\n' })
  await addSite('twice', { certificate: good, failure: '2\tIt did not answer.\n' })
  await addSite('ended', { certificate: short })
  await addSite('missing', {})
  await addSite('off', { certificate: short, ssl: false })
  const inTwoDays = `unset EPOCHSECONDS; EPOCHSECONDS=${Math.round(Date.now() / 1000) + 172_800}`
  expect(bash('tell_failing_certificates', inTwoDays)).toBe('ended.example missing.example twice.example ')
  expect(bash('tell_outdated_sites')).toBe('')
})

test('outdated are sites whose record says an earlier state, or none', async () => {
  await addSite('new', { record: 'state 3\n' })
  await addSite('former', { record: 'state 2\n' })
  await addSite('first', { record: '' })
  expect(bash('tell_outdated_sites')).toBe('first.example former.example ')
})

test('for many sites no more programs start than for one', async () => {
  const shims = join(folder, 'shims')
  const log = join(folder, 'log')
  await mkdir(shims)
  for (const program of programs) {
    const real = execFileSync('bash', ['-c', `type -P ${program}`], { encoding: 'utf8' }).trim()
    await writeFile(join(shims, program), `#!/bin/sh\necho ${program} >>${log}\nexec ${real} "$@"\n`)
    await chmod(join(shims, program), 0o755)
  }
  const count = async () => {
    await writeFile(log, '')
    bash('tell_failing_certificates; tell_outdated_sites', `PATH=${shims}:$PATH`)
    return (await readFile(log, 'utf8')).split('\n').length - 1
  }
  const certificate = makeCertificate(90)
  await addSite('first', { certificate, failure: '1\tNo.\n' })
  const one = await count()
  expect(one).toBeGreaterThan(2)
  for (let at = 0; at < 12; at++) await addSite(`site${at}`, { certificate, failure: '1\tNo.\n' })
  expect(await count()).toBe(one)
})
