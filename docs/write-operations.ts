/** Rewrites docs/operations.md. */
import { writeFileSync } from 'node:fs'
import { renderOperationsPage } from '@/lib/contract/document'
import { builtOperationIds } from '@/lib/service/routes/built'

writeFileSync(new URL('operations.md', import.meta.url), renderOperationsPage(builtOperationIds))
