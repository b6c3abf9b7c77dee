/** How pytest's tests are counted among the others. */
import { expect, test } from 'vitest'
import { readPytest } from './pytest.mjs'

test('what passed, failed and broke is counted, and failures are named', () => {
  expect(readPytest('....\n128 passed in 13.80s\n', 0)).toEqual({ passed: 128, failed: 0, skipped: 0, failures: [] })
  const printed = 'F.E\nFAILED tests/a.py::one - x\nERROR tests/b.py\n1 failed, 2 passed, 3 skipped, 1 error in 0.2s\n'
  expect(readPytest(printed, 1)).toEqual({ passed: 2, failed: 2, skipped: 3, failures: ['tests/a.py::one - x', 'tests/b.py'] })
})

test('an end that no test accounts for is a failure', () => {
  expect(readPytest('', null)).toMatchObject({ passed: 0, failed: 1 })
  expect(readPytest('no tests ran in 0.01s\n', 5)).toMatchObject({ passed: 0, failed: 1 })
  expect(readPytest('3 passed in 1s\n', 3)).toMatchObject({ passed: 3, failed: 1 })
})
