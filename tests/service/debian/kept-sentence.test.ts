/** The sentence about a kept part: what exists, and what is not installed because of it. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

const script = readScript('steps/mail.bash', 'steps/database.bash', 'steps/web.bash')

/** A server without any of the packages, on which one program listens on every port that is checked. */
const find = (part: string, program: string) =>
  execFileSync(
    'bash',
    ['--norc', '-c', `${script}\ninstalled() { :; }; mail_package() { :; }; program_on() { product_of ${program}; }; find_${part}`],
    {
      encoding: 'utf8',
    },
  )

test.each([
  ['mail', 'master', 'Postfix serves port 25 here; it is left as it is.\n'],
  ['mail', 'exim4', 'Exim serves port 25 here; Postfix is not installed.\n'],
  ['database', 'mariadbd', 'MariaDB serves port 3306 here; it is left as it is.\n'],
  ['database', 'docker-proxy', 'docker-proxy serves port 3306 here; MariaDB is not installed.\n'],
  ['web', 'apache2', 'Apache serves port 80 or 443 here; it is left as it is.\n'],
  ['web', 'docker-proxy', 'docker-proxy serves port 80 or 443 here; Apache and PHP are not installed.\n'],
])('%s kept for %s: the sentence never says that a product both exists and is not installed', (part, program, sentence) => {
  expect(find(part, program)).toBe(sentence)
})
