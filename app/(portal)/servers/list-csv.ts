/** The list as a CSV file. */
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { renderCsv } from '../../_shared/collection/csv'
import { csvOf } from '../../_shared/collection/list-column'
import { serverColumns } from './server-columns'

export const csvColumns = csvOf(serverColumns)

export const toCsv = (servers: readonly ListedServer[]): string => renderCsv(csvColumns, servers)
