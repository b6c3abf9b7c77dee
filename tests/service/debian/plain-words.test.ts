/** Sentences that jobs of sites end with: what certbot printed in plain words, and sizes with enough digits. Run by this machine's own bash. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

/** What a command of bash prints after the scripts were read. */
const bash = (file: string, command: string, input = '') =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', `${readScript(file)}\n${command}`], { input, encoding: 'utf8' }).trim()

const pool = "HTTPSConnectionPool(host='ca.example', port=443): Max retries exceeded with url: /directory (Caused by "
const unexpected = (line: string) => `Saving debug log to /var/log/x\n\nAn unexpected error occurred:\n${line}\nAsk for help or search.\n`

test.each([
  [
    unexpected(
      `requests.exceptions.ConnectionError: ${pool}NewConnectionError('<a.HTTPSConnection object at 0x7f>: Failed: [Errno 111] Connection refused'))`,
    ),
    'It refused the connection.',
  ],
  [
    unexpected(
      `requests.exceptions.ConnectionError: ${pool}NameResolutionError("<x>: Failed to resolve ([Errno -2] Name or service not known)"))`,
    ),
    'Its name was not found in DNS.',
  ],
  [
    unexpected(`requests.exceptions.SSLError: ${pool}SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]')))`),
    'This server does not trust its certificate.',
  ],
  [
    unexpected("requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='a', port=443): Read timed out. (read timeout=45)"),
    'It did not answer in time.',
  ],
  [
    unexpected("requests.exceptions.ConnectionError: ('Connection aborted.', RemoteDisconnected('Remote end closed'))"),
    'It ended the connection.',
  ],
  [unexpected("KeyError: 'newNonce'"), /^certbot failed\. Its log is \/var\/log\/gatehouse-certbot\//],
  [unexpected('josepy.errors.DeserializationError: Deserialization error: Wrong directory fields'), /^certbot failed\./],
  [
    'Traceback (most recent call last):\n  File "/usr/bin/certbot", line 33, in <module>\n    sys.exit(main())\nModuleNotFoundError: No module named \'acme\'\n',
    /^certbot failed\./,
  ],
  [
    unexpected('Error creating new order :: too many certificates already issued for "a.example"'),
    'Error creating new order :: too many certificates already issued for "a.example"',
  ],
  ['  Domain: a.example\n  Type:   dns\n  Detail: no valid A records found\n', 'a.example: no valid A records found'],
  ['OSError: [Errno 28] No space left on device\n', 'The server’s disk is full.'],
  ['', 'certbot printed nothing.'],
])('of what certbot printed, %#, a sentence is kept and no Python', (output, sentence) => {
  expect(bash('sites/orders.bash', 'file=$(mktemp); cat >"$file"; complaint_of "$file"; rm "$file"', output)).toEqual(
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  )
})

test.each([
  [104_857_601, '101 MB', '100 MB'],
  [1_610_612_736, '1536 MB', '1536 MB'],
  [10_737_418_240, '10.0 GB', '10.0 GB'],
  [12_000_000_000, '11.2 GB', '11.1 GB'],
  [0, '0 MB', '0 MB'],
])('%i bytes that are needed are %s, and %s if they are free', (bytes, needed, free) => {
  expect([bash('sites/make-backup.bash', `needed_size ${bytes}`), bash('sites/make-backup.bash', `free_size ${bytes}`)]).toEqual([
    needed,
    free,
  ])
})
