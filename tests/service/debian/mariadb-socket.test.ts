/** Where scripts reach MariaDB: as the server's own configuration says, else where Debian has it. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

const socketIf = (said: string): string =>
  execFileSync('bash', ['-c', `set -euo pipefail\n${readScript('sites/site.bash')}\nmy_print_defaults() { ${said}; }\nmariadb_socket`], {
    encoding: 'utf8',
  })

test.each([
  ["printf '%s\\n' --port=3306 --socket=/a --socket='/run/b c' --xsocket=/d", '/run/b c\n'],
  ["printf '%s\\n' --port=3306 --xsocket=/a", '/run/mysqld/mysqld.sock\n'],
  ['echo --socket=', '/run/mysqld/mysqld.sock\n'],
  ['return 127', '/run/mysqld/mysqld.sock\n'],
])('the last socket that MariaDB names, if %s', (said, socket) => {
  expect(socketIf(said)).toBe(socket)
})
