/** The times of a cron job in the interface: five fields, or a nickname in the first field and the others empty. */

export type Times = { minute: string; hour: string; dom: string; mon: string; dow: string }

export const timeNames = ['minute', 'hour', 'dom', 'mon', 'dow'] as const

export type TimeName = (typeof timeNames)[number]

/** Each nickname with its five fields; null for @reboot. */
export const nicknames: Readonly<Record<string, Times | null>> = {
  '@reboot': null,
  '@hourly': fieldsOf('0 * * * *'),
  '@daily': fieldsOf('0 0 * * *'),
  '@midnight': fieldsOf('0 0 * * *'),
  '@weekly': fieldsOf('0 0 * * 0'),
  '@monthly': fieldsOf('0 0 1 * *'),
  '@yearly': fieldsOf('0 0 1 1 *'),
  '@annually': fieldsOf('0 0 1 1 *'),
}

/** "0 4 * * 1" or "@daily", with one space between. */
export const formatTimes = (times: Times): string => (isNickname(times) ? times.minute : timeNames.map((name) => times[name]).join(' '))

/** Whether the times are a nickname, valid or not. */
export const isNickname = ({ minute, hour, dom, mon, dow }: Times): boolean => minute.startsWith('@') && !hour && !dom && !mon && !dow

function fieldsOf(five: string): Times {
  const [minute = '', hour = '', dom = '', mon = '', dow = ''] = five.split(' ')
  return { minute, hour, dom, mon, dow }
}
