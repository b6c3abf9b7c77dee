/** SFTP keys of sites on a real host: over HTTP, and with the client of SFTP that everybody has. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proveSftpKeys } from '../service/conformance/sftp'
import { itemOf, newSite } from '../service/conformance/sites'
import { get, post } from '../service/support/caller'
import { createSite, deleteSite, streamRestore } from '../service/support/slow-work'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { run as local, mustRun } from './lab/command'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { openHttpService } from './sites/http-service'

const chance = openChance()

type KeyPair = { path: string; line: string; fingerprint: string }

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  let service: Awaited<ReturnType<typeof openHttpService>>
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-keys-'))
    admitted = await startInstalled(release)
    service = await openHttpService(admitted, { siteChecksMs: 100, summarySharedMs: 0 })
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await admitted?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const run = async (command: string, stdin = ''): Promise<string> => {
    const { code, stdout, stderr } = await admitted.host.run(command, { stdin })
    expect(code, stderr).toBe(0)
    return stdout
  }
  const create = async (domain: string) => {
    const id = String((await createSite(service, newSite(service, domain))).body.id)
    return { id, user: String((await itemOf(service, `/sites/${id}/summary`)).user) }
  }
  const pairOf = async (name: string, ...options: string[]): Promise<KeyPair> => {
    const path = join(folder, name)
    await mustRun('ssh-keygen', ['-q', ...options, '-N', '', '-C', `kim of ${name}`, '-f', path], {})
    const said = await mustRun('ssh-keygen', ['-lf', `${path}.pub`], {})
    return { path, line: await readFile(`${path}.pub`, 'utf8'), fingerprint: said.split(' ')[1] ?? '' }
  }
  const add = (id: string, { line }: Pick<KeyPair, 'line'>) => post(service, `/sites/${id}/savesftpkey`, { key: line })
  const remove = (id: string, { fingerprint }: KeyPair) => post(service, `/sites/${id}/deletesftpkey`, { fingerprint })
  const listed = async (id: string) => (await get(service, `/sites/${id}/sftpkeys`)).body.items as Record<string, unknown>[]
  /** What the client says, with this key and without a password. */
  const signIn = async (user: string, { path }: KeyPair): Promise<string> => {
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'BatchMode=yes', 'IdentitiesOnly=yes'].flatMap((each) => [
      '-o',
      each,
    ])
    const { stdout, stderr } = await local('sftp', [...options, '-i', path, `${user}@${admitted.host.ip}`], { stdin: 'pwd\n' })
    return stdout + stderr
  }
  const done = { status: 200 }
  const letIn = 'Remote working directory: /public'
  const keptOut = 'Permission denied'

  test('keys are added, listed, removed and refused over HTTP, as on every provider', async () => {
    await proveSftpKeys(service, { ...service, key: await service.createKey('stranger') })
    expect(await run('ls -A /etc/ssh/gatehouse-sites')).toBe('')
  }, 300_000)

  test('whoever has the private half of a key signs in until the key is removed, to this site alone', async () => {
    const [one, two] = [await create('one.test'), await create('two.test')]
    const pairs = [
      await pairOf('laptop', '-t', 'ed25519'),
      await pairOf('tower', '-t', 'rsa', '-b', '2048'),
      await pairOf('phone', '-t', 'ecdsa', '-b', '384'),
    ]
    for (const pair of pairs) {
      expect(await signIn(one.user, pair)).toContain(keptOut)
      expect(await add(one.id, pair)).toMatchObject(done)
      expect(await signIn(one.user, pair)).toContain(letIn)
      expect(await signIn(two.user, pair)).toContain(keptOut)
    }
    expect((await listed(one.id)).map(({ fingerprint }) => fingerprint)).toEqual(pairs.map(({ fingerprint }) => fingerprint))
    // Neither the site's programs nor those of others can exchange or read them, but for the site itself.
    const file = `/etc/ssh/gatehouse-sites/${one.user}`
    expect(await run(`stat -c '%U:%G %a' /etc/ssh/gatehouse-sites ${file}`)).toBe(`root:root 711\nroot:${one.user} 640\n`)
    expect(await run(`! runuser -u ${two.user} -- cat ${file} 2>&1`)).toContain(keptOut)
    for (const pair of pairs) {
      expect(await remove(one.id, pair)).toMatchObject(done)
      expect(await signIn(one.user, pair)).toContain(keptOut)
    }
  })

  test('lines that an admin has put into the file stay, and a key that is limited by options is listed as such', async () => {
    const { id, user } = await create('mixed.test')
    const [limited, plain] = [await pairOf('limited', '-t', 'ed25519'), await pairOf('plain', '-t', 'ed25519')]
    const file = `/etc/ssh/gatehouse-sites/${user}`
    await run(`printf '%s' "$(cat)" >${file}`, `# of the office\nnot a key\nfrom="192.0.2.1",no-pty ${limited.line}`)
    expect(await listed(id)).toMatchObject([{ fingerprint: limited.fingerprint, comment: 'kim of limited', key: '' }])
    expect(await add(id, limited)).toMatchObject({ status: 409, body: { code: 'unsuitable' } })
    expect(await add(id, plain)).toMatchObject(done)
    expect(await signIn(user, plain)).toContain(letIn)
    expect(await signIn(user, limited)).toContain(keptOut)
    expect(await remove(id, plain)).toMatchObject(done)
    expect(await run(`cat ${file}`)).toBe(`# of the office\nnot a key\nfrom="192.0.2.1",no-pty ${limited.line}`)
    expect(await remove(id, limited)).toMatchObject(done)
    expect(await run(`cat ${file}`)).toBe('# of the office\nnot a key\n')
  })

  test('a site that is deleted, created again and restored has its keys', async () => {
    const { id } = await create('again.test')
    const pair = await pairOf('again', '-t', 'ed25519')
    expect(await add(id, pair)).toMatchObject(done)
    expect(await deleteSite(service, id)).toMatchObject(done)
    const again = await create('again.test')
    expect(await signIn(again.user, pair)).toContain(keptOut)
    const backups = (await get(service, `/sites/${again.id}/backups`)).body.items as { name: string }[]
    const last = (await streamRestore(service, again.id, { restore: backups[0]?.name ?? '' })).events.at(-1)
    expect(last).toMatchObject({ status: 'done', message: expect.stringMatching(/As before: .*its SFTP keys/) })
    expect(await signIn(again.user, pair)).toContain(letIn)
  })

  test('where SSH does not read the keys of sites, none is added, and the sentence says what to do', async () => {
    const { id } = await create('former.test')
    const conf = '/etc/ssh/sshd_config.d/60-gatehouse-sites.conf'
    await run(`sed -i 's,AuthorizedKeysFile .*,AuthorizedKeysFile none,' ${conf} && systemctl reload ssh`)
    const error = expect.stringContaining('Bring the server up to date')
    expect(await add(id, await pairOf('former', '-t', 'ed25519'))).toMatchObject({ status: 409, body: { code: 'unsuitable', error } })
    await run(`sed -i 's,AuthorizedKeysFile .*,AuthorizedKeysFile /etc/ssh/gatehouse-sites/%u,' ${conf} && systemctl reload ssh`)
  })
})
