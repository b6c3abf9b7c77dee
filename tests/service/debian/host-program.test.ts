/** The host program on its way to a server: packed by Node, put there and run by bash, and what it says in words. Without a host, and so unconfined. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseBackupList } from '@/lib/service/machines/backups'
import { hostVersion, renderPackage } from '@/lib/service/machines/debian/host/package'
import { hostEvent, withSentence, withSentences } from '@/lib/service/machines/debian/host/sentences'
import { readScript } from '@/lib/service/machines/debian/script'
import { parseSiteLine } from '@/lib/service/machines/debian/sites/job'
import { liveChangeEvent } from '@/lib/service/machines/debian/sites/staging/facts'
import { nightlyMark } from '@/lib/service/machines/debian/steps/nightly-backup/script'

const execute = promisify(execFile)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-program-'))
  for (const each of ['programs', 'home/public', 'home/private', 'job/site']) mkdirSync(join(folder, each), { recursive: true })
  // Where tests run, there is no systemd.
  writeFileSync(join(folder, 'programs/systemd-run'), '#!/bin/bash\nwhile [[ $1 != /* ]]; do shift; done\nexec "$@"\n')
  chmodSync(join(folder, 'programs/systemd-run'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const load = () => `${readScript('host/program.bash', 'sites/make-backup.bash')}
  print_host_version() { echo ${hostVersion}; }
  programs_home=${folder}/lib home=${folder}/home name=nobody backups_home=${folder}`

/** What the script prints, and its exit code. */
async function bash(script: string): Promise<{ code: number; stdout: string }> {
  const file = join(folder, 'script')
  writeFileSync(file, `set -euo pipefail\n${load()}\n${script}\n`)
  const env = { ...process.env, PATH: `${folder}/programs:${process.env.PATH}`, LC_ALL: 'C.UTF-8' }
  return execute('bash', [file], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  )
}

const put = (version = hostVersion) => bash(`base64 -d <<'END' | put_program ${version}\n${renderPackage()}\nEND`)

test('it is put into a folder that only its owner can write, compiled, and once', async () => {
  expect(await put()).toEqual({ code: 0, stdout: '' })
  const { stdout } = await bash(
    `find "$(host_program)" -perm /022; find "$(host_program)" -name 'rooms.*.pyc'; stat -c %i "$(host_program)"`,
  )
  expect(stdout).toMatch(/^\S+rooms\.\S+\.pyc\n\d+\n$/)
  await put()
  expect((await bash('stat -c %i "$(host_program)"')).stdout).toBe(`${stdout.split('\n')[1]}\n`)
})

test('where it is not compiled, a run leaves it so: what a full disk cuts short would fail each later run', async () => {
  await put()
  const { code, stdout } = await bash(`find "$(host_program)" -name __pycache__ -exec rm -r {} +
    run_host_program <<<'{"protocol": 1, "job": "take-back", "journal": "${folder}/none"}'
    find "$(host_program)" -name '*.pyc'`)
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  rmSync(join(folder, 'lib'), { recursive: true })
  await put()
})

test('where Python came after it, it is compiled once, and stays whole', async () => {
  await put()
  const { code, stdout } = await bash(`cd "$(host_program)"; find . -name __pycache__ -exec rm -r {} +
    compile_program; is_program_whole "$(host_program)"; stat -c %i gatehouse_host/__pycache__ >${folder}/inode
    find . -perm /022; find . -name 'rooms.*.pyc' -o -name 'restore.*.pyc' -o -name '__main__.*.pyc'; ls -A ..
    compile_program; [[ $(stat -c %i gatehouse_host/__pycache__) == "$(<${folder}/inode)" ]]
    python3 -I -S -B -v "$(host_program)" <<<'{}' 2>&1 | grep -c "code object from '.*/gatehouse_host/protocol.py'" || true`)
  expect({ code, lines: stdout.trim().split('\n').sort() }).toEqual({
    code: 0,
    lines: [
      expect.stringMatching(/^\.\/__pycache__\/__main__\./),
      expect.stringMatching(/^\.\/gatehouse_host\/__pycache__\/rooms\./),
      expect.stringMatching(/^\.\/gatehouse_host\/sites\/__pycache__\/restore\./),
      '0',
      hostVersion,
    ],
  })
})

test('it is put by the script that the service sends, with the version and the package as values', async () => {
  const script = readScript('host/put.bash').replace('programs_home=/usr/lib/gatehouse', `programs_home=${folder}/sent`)
  writeFileSync(join(folder, 'values'), `${hostVersion}\0\0${renderPackage()}\0`)
  await execute('bash', ['-c', `exec <"$0"\n${script}`, join(folder, 'values')])
  const { code } = await bash(`programs_home=${folder}/sent; is_program_whole "$(host_program)"`)
  expect(code).toBe(0)
})

test('it writes an archive that GNU tar reads, and what it left out is said in words', async () => {
  const { code, stdout } = await bash(`umask 077; echo 'format 2' >${folder}/job/site/manifest; echo '-- x' >${folder}/job/site/database.sql
    echo page >$home/public/page; ln -s /etc $home/public/out; truncate -s 8T $home/public/holes; ln $home/public/page $home/private/page
    run_host_program <<<'{"protocol": 1, "job": "read-site", "home": "'$home'", "parts": "${folder}/job/site", "user": 1234, "group": 1234}' \
      2>${folder}/said | tar -tf - | sort | tr '\n' ' '
    sed -n 1p ${folder}/said`)
  expect(code).toBe(0)
  const [, names, left = ''] = /^(.*) (\{.*)\n$/s.exec(stdout) ?? []
  expect(withSentence(left)).toBe('Left out, because it leads outside of the site: public/out')
  expect(names).toBe('database.sql files/private/ files/private/page files/public/ files/public/holes files/public/page manifest')
})

test('a job asks for a part of a restore, and a name of a backup that is none is refused', async () => {
  const ask = (wanted: string) => `set -- /job
    ${readScript('sites/restore.bash')}
    programs_home=${folder}/lib site_id=a name=one domain=one.test job_home=/job wanted='${wanted}'`
  const { stdout } = await bash(`${ask('one.test-20261128-010203-manual.tar.zst')}; run_host_program() { cat; }; restore_part check`)
  expect(JSON.parse(stdout)).toMatchObject({
    job: 'restore-site',
    part: 'check',
    backup: 'one.test-20261128-010203-manual.tar.zst',
    folder: '/job',
  })
  await put()
  const refused = { code: 2, stdout: '{"code":"bad-request","error":"backup"}\n' }
  expect(await bash(`${ask('../one.test-20261128-010203-manual.tar.zst')}; restore_part check`)).toEqual(refused)
})

test('a job asks for a backup in less than 4 KB, and a request with any other name is refused', async () => {
  const ask = (domain: string) =>
    bash(`site_id=a name=one domain='${domain}' job_home=/job; run_host_program() { cat; }; make_site_backup manual`)
  const { stdout } = await ask('one.test')
  expect(JSON.parse(stdout)).toEqual({
    protocol: 1,
    job: 'back-up-site',
    id: 'a',
    name: 'one',
    domain: 'one.test',
    reason: 'manual',
    folder: '/job',
  })
  expect(stdout.length).toBeLessThan(4096)
  await put()
  expect(await bash(`site_id=a name=one domain=../x; make_site_backup manual`)).toEqual({
    code: 2,
    stdout: '{"code":"bad-request","error":"domain"}\n',
  })
})

test('a program that was changed, is not whole or is missing does not run', async () => {
  const refused = { code: 3, stdout: expect.stringContaining('is missing on this server, or was changed') }
  const changes = [
    'echo "# more" >>"$(host_program)/gatehouse_host/rooms.py"',
    'rm "$(host_program)/__main__.py"',
    'echo >>"$(host_program)/SHA256SUMS"',
    'rm -r "$(host_program)"',
  ]
  for (const change of changes) {
    await put()
    expect(await bash(`${change}; run_host_program <<<'{}'`)).toEqual(refused)
  }
  await put()
  expect((await bash(`run_host_program <<<'{}' || echo "code $?"`)).stdout).toBe(
    '{"code":"bad-request","error":"another version"}\ncode 2\n',
  )
})

test('a package that is not what its version says is not put', async () => {
  expect((await put('0123456789abcdef')).code).toBe(1)
  expect((await bash('ls $programs_home')).stdout).toBe(`${hostVersion}\n`)
})

test('other versions go when nothing names them; what else is in the folder stays', async () => {
  const { stdout } = await bash(`mkdir -p $programs_home/0123456789abcdef $programs_home/own; echo x >$programs_home/as.sh
    touch -d '2 hours ago' $programs_home/0123456789abcdef
    rm -r "$(host_program)"; base64 -d <<'END' | put_program ${hostVersion}\n${renderPackage()}\nEND
    ls $programs_home; remove_programs; ls $programs_home`)
  expect(stdout.trim().split('\n')).toEqual([...[hostVersion, 'as.sh', 'own'].sort(), 'as.sh', 'own'])
})

/** The script of the nightly backup, as a package that is put into a folder prints it. */
const nightlyBackup = async (programs: string) =>
  (await bash(`package_home=${programs}/${hostVersion}; . $package_home/texts.bash; content_backup`)).stdout

test('the nightly backup is a few lines that name the version that they run', async () => {
  await put()
  const script = await nightlyBackup(`${folder}/lib`)
  expect(script).toMatch(/^#!\/bin\/bash\n# Put here by Gatehouse\.\n/)
  expect(script).toContain(hostVersion)
  // By which the summary of a server tells whether it backs up as this Gatehouse does.
  expect(script.split('\n')).toContain(nightlyMark)
  expect(script.length).toBeLessThan(2048)
})

test('the nightly backup runs the program, or says that there is none where backups are listed', async () => {
  await put()
  const script = await nightlyBackup(`${folder}/lib`)
  const at = (programs: string) =>
    script
      .replaceAll('/usr/lib/gatehouse', programs)
      .replaceAll('/var/backups', `${folder}/backups`)
      .replace(/exec .* "\$\(host_program\)"/, 'exec cat')
  const night = async (programs: string) => {
    writeFileSync(join(folder, 'night'), at(programs))
    return execute('bash', [join(folder, 'night')]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    )
  }
  expect(await night(`${folder}/lib`)).toEqual({ code: 0, stdout: '{"protocol": 1, "job": "back-up-server"}\n' })
  expect(await night(`${folder}/none`)).toEqual({ code: 1, stdout: '' })
  const [state, at_, said] = readFileSync(join(folder, 'backups/gatehouse/.last'), 'utf8').split('\0')
  expect([state, Number(at_) > 1_700_000_000, withSentence(said ?? '')]).toEqual([
    'failed',
    true,
    expect.stringContaining('Bring the server up to date.'),
  ])
})

test('what a server prints of its backups is shown in words, and names of files stay as they are', () => {
  const lacks = 'proven\nmissing\tshop\t{"code":"dump-not-whole","error":"Error: a view"}\nleft_out\t/srv/media'
  const run = 'partial\n{"code":"server-lacks","names":"shop","unnamed":2}\n{"code":"sites-not-backed-up","names":"one.test"}'
  const printed = `\0run\0${'1700000000'}\0${run}\0{"code":"stopped"}\0${'7'}\0${'1700000000'}\0${lacks}\0`
  const { items, last } = parseBackupList(withSentences(printed))
  expect(last?.reason).toBe('Missing: shop and 2 more. Sites without a new backup: one.test.')
  expect(items).toMatchObject([
    {
      name: '{"code":"stopped"}',
      missing: [{ name: 'shop', reason: 'It could not be dumped whole: Error: a view' }],
      left_out: ['/srv/media'],
    },
  ])
  expect(withSentences('\0run\0\x31\0failed\nA sentence of an earlier version.\0')).toContain('failed\nA sentence of an earlier version.')
})

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KB'],
  [7 * 1024 ** 3, '7 GB'],
])('%i bytes are %s', (free, words) => {
  const event = { code: 'no-room-for-server', path: '/var/backups/gatehouse', needed: 1024, free }
  expect(withSentence(JSON.stringify(event))).toBe(
    `There is not enough room in /var/backups/gatehouse: ${words} is free; a backup needs about 1 KB.`,
  )
})

type Property = { const?: string; enum?: string[]; type?: string; $ref?: string }
type Schema = {
  definitions: { event: { oneOf: { required: string[]; properties: Record<string, Property> }[] } } & Record<string, Property>
}
const schema = JSON.parse(readFileSync('host/protocol.schema.json', 'utf8')) as Schema

/** What a member may be: each of its words, or one text or number. */
function valuesOf({ $ref, ...property }: Property): (string | number)[] {
  if ($ref) return valuesOf(schema.definitions[$ref.split('/').at(-1) ?? ''] ?? {})
  return property.enum ?? (property.const ? [property.const] : [property.type === 'string' ? 'a' : 7])
}

/** An event of each code, with each word that a member may be. */
const events = schema.definitions.event.oneOf.flatMap(({ required, properties }) =>
  required.reduce<Record<string, string | number>[]>(
    (made, name) => made.flatMap((event) => valuesOf(properties[name] ?? {}).map((value) => ({ ...event, [name]: value }))),
    [{}],
  ),
)

/** What stays on the server, and what is read by facts.ts. */
const unsaid = ['site-read', ...liveChangeEvent.options.flatMap(({ shape }) => [...shape.code.values])]

test('which files changed on live is read as the schema has it', () => {
  const told = events.filter(({ code }) => unsaid.includes(String(code)) && code !== 'site-read')
  expect(told).toHaveLength(4)
  for (const event of told) expect(liveChangeEvent.parse(event)).toEqual(event)
})

test.each(events.filter(({ code }) => !unsaid.includes(String(code))))('the event %o of the schema has a sentence', (event) => {
  const text = withSentence(JSON.stringify(event))
  expect(text).toMatch(/^[A-Z/a][^{}]+[^{}.]\.?$/)
  expect(text).not.toContain('undefined')
  // As bash says it of a step that failed.
  expect(withSentence(`The step “Backup” failed: ${JSON.stringify(event)}`)).toBe(`The step “Backup” failed: ${text}`)
  // As it says what could not be taken back.
  expect(withSentence(`${JSON.stringify(event)}. Not everything is back.`)).toBe(`${text} Not everything is back.`)
  expect(hostEvent.safeParse({ ...event, more: 1 }).success).toBe(false)
})

test('each event that has a sentence is in the schema', () => {
  const codes = hostEvent.options.map((option) => [...option.shape.code.values][0])
  expect(new Set<string | number | undefined>([...codes, ...unsaid])).toEqual(new Set(events.map(({ code }) => code)))
})

test('a line of a job is shown with the sentence; any other text stays as it is', () => {
  const lineOf = (message: string, error = '') => parseSiteLine(`1\tBackup\t10\trunning\t${message}\t${error}`, 1)
  expect(lineOf('{"code":"archive-written","files":1,"bytes":2}').message).toBe('The archive is written.')
  expect(lineOf('x', 'The step “Backup” failed: {"code":"not-written"}').error).toBe(
    'The step “Backup” failed: The archive could not be written.',
  )
  for (const text of ['plain', '{"code":"unknown"}', '{"code":"not-written"', '{"code":"left-out","reason":"other","path":"a"}']) {
    expect(lineOf(text).message).toBe(text)
  }
})
