/** The list as a CSV file. */
import { renderCsv } from '../../_shared/collection/csv'
import { csvOf } from '../../_shared/collection/list-column'
import type { ServerLine } from '../../_shared/servers/server-line'
import { serverColumns } from './server-columns'

export const csvColumns = csvOf(serverColumns)

export const toCsv = (servers: readonly ServerLine[]): string => renderCsv(csvColumns, servers)
