/** Rewrites docs/operations.md. */
import { writeFileSync } from 'node:fs'
import { renderOperationsPage } from '@/lib/contract/document'

writeFileSync(new URL('operations.md', import.meta.url), renderOperationsPage())
