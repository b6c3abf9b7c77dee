/** What counts as a remark of shellcheck where files are part of several scripts. */
import { expect, test } from 'vitest'
import { checkScripts, listScripts } from './shell-scripts'

const part = { name: 'part.bash', text: 'shared=1\nforgotten=2\ngreet() { echo "$greeting"; }\n' }
const one = { name: 'one.bash', text: 'greeting=hello\ngreet\necho "$shared"\n' }
const other = { name: 'other.bash', text: 'greeting=bye\ngreet\necho $# "$unset"\n' }

test('a name has to come from each script, and to be used in one of those that have the file', async () => {
  const remarks = await checkScripts([
    { files: [part, one], shell: 'bash' },
    { files: [part, other], shell: 'bash' },
  ])
  expect(remarks.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual(['other.bash:3 2154', 'part.bash:2 2034'])
})

test('all scripts are found: joined ones once, others by their name or first line', () => {
  const names = listScripts().map(({ files }) => files.at(-1)?.name)
  expect(names).toEqual(expect.arrayContaining(['gatehouse', 'deploy/deb/postinst', 'tests/hosts/lab/host.sh', '.ci/run']))
  expect(names).toContain('lib/service/machines/debian/sites/start.bash')
  expect(names).not.toContain('lib/service/machines/debian/sites/site.bash')
})
