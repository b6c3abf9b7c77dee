/** Archives that are no backup of a site are refused before anything is unpacked: check-archive.bash, run by this machine's own bash. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

const run = promisify(execFile)
const script = readScript('sites/check-archive.bash')

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'))
  await bash(`mkdir -p files/public/folder && cd files/public && echo page >page && ln -s page inside && ln -s /etc outside && ln -s ../../.. up
    ln -s . dot && mkfifo pipe && echo run >setuid && chmod 4755 setuid && echo '-- x' >../../database.sql && echo x >../../other
    mkdir pair && ln -s page "pair -> page" && truncate -s 8T holes && ln page hard && mkdir ../notes && echo x >../notes/a && echo x >../.forward && echo odd >"-rf \\$(id) \\"'; -> x"`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bash = (script: string) =>
  run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } })

/** With the manifest of a site that was called `former`. */
const load = (format = 2) => `${script}\nhome=/home/site
  archive_manifest=$'format ${format}\\nname former\\nuser 1000\\ngroup 1000\\nweb 33'`

/** What check_archive prints about what tar archives with these options. Files belong to the site, 1000, unless they say otherwise. */
async function check(options: string, format?: number): Promise<string> {
  const script = `${load(format)}
    { tar --numeric-owner --owner=1000 --group=33 -P -cf - ${options} || true; } 2>/dev/null | gzip | check_archive gz || true`
  return (await bash(script)).stdout
}

const linesOf = async (options: string, format?: number) => (await check(options, format)).split('\n')

test('an archive of plain files, folders and links within the site is taken, and its size is reported', async () => {
  const [bytes, parts, left] = await linesOf(
    `database.sql files/public/page files/public/folder files/public/inside files/public/hard ./files/public/-rf* --transform='s,^\\./,,'`,
  )
  expect(Number(bytes)).toBeGreaterThan(5 * 4096)
  expect([parts, left]).toEqual(['database.sql\tfiles/public', ''])
})

test('what an archive of the first format has beside the two folders of a site is named, and is no part that is unpacked', async () => {
  const [, parts, left] = await linesOf('--owner=0 files/.forward files/notes files/public/page', 1)
  expect([parts, left]).toEqual(['files/public', '.forward\tnotes'])
})

test('an absolute link may name the folder of the site as it was called when the backup was made', async () => {
  for (const to of ['former', 'former/public/page', 'site/private']) {
    expect(await check(`--transform='flags=s;s,^/etc$,/home/${to},' files/public/outside`)).toMatch(/^\d+\n/)
  }
  expect(await check(`--transform='flags=s;s,^/etc$,/home/formerly/x,' files/public/outside`)).toMatch(/is a link to outside/)
})

test('a link is not taken for a folder whose name begins like it, and of a file with holes counts what is stored', async () => {
  expect(Number((await linesOf(`files/public/pair "files/public/pair -> page"`))[0])).toBeGreaterThan(0)
  expect(Number((await linesOf('--sparse files/public/holes'))[0])).toBeLessThan(100_000)
})

const refused: readonly (readonly [what: string, options: string, why: string])[] = [
  ['a path upwards', `--transform='s,files/public/page,files/../../x,' files/public/page`, 'is no path inside'],
  ['an absolute path', `--transform='s,^files,/etc,' files/public/page`, 'is no path inside'],
  ['a link to an absolute path', 'files/public/outside', 'is a link to outside'],
  ['a link upwards', 'files/public/up', 'is a link to outside'],
  ['a file below a link', `files/public/dot --transform='s,public/page,public/dot/page,' files/public/page`, 'is below a link'],
  ['a hard link to elsewhere', `--transform='flags=h;s,.*,/etc/shadow,' files/public/page files/public/hard`, 'is not a file of the site'],
  ['a device', '--transform=s,dev/null,files/public/null, /dev/null', 'neither files, folders nor links'],
  ['a pipe', 'files/public/pipe', 'neither files, folders nor links'],
  ['a file that runs as its owner', 'files/public/setuid', 'would run as its owner'],
  ['a file of another user', '--owner=1234 files/public/page', 'belongs to neither'],
  ['a file of another group', '--group=1234 files/public/page', 'belongs to neither'],
  ['a name like an option', `--transform='s,files/public/page,-rf,' files/public/page`, 'is no part of a backup'],
  ['a file beside those of a backup', 'other', 'is no part of a backup'],
  ['an entry for the folder of both', '--no-recursion files', 'is no part of a backup'],
  ['commands for the mail server', 'files/.forward', 'is no part of a backup'],
  ['a folder beside the two', 'files/notes', 'is no part of a backup'],
  ['a link instead of a folder', `--transform='flags=r;s,public/inside,private,' files/public/inside`, 'is no folder'],
  ['a file twice', '--hard-dereference files/public/page files/public/page', 'is in it twice'],
]

test.each(refused)('security 56: an archive with %s is refused', async (_, options, why) => {
  expect(await check(options)).toMatch(new RegExp(`^The archive is refused: .*${why}`))
})

test('security 56: an archive with too many entries is refused', async () => {
  const script = `${load()}; most_entries=2
    tar --numeric-owner --owner=1000 --group=33 -cf - database.sql files/public/page files/public/folder | gzip | check_archive gz || true`
  expect((await bash(script)).stdout).toContain('too many files')
})
