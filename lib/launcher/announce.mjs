/** Reports slow work when it starts, while it lasts and when it is done, with its duration in seconds. */

const everyMs = 15_000
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

/**
 * @template T
 * @param {string} doing for display: "Building the portal"
 * @param {string} done "Built the portal"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function announce(doing, done, work) {
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  print(`${doing} …`)
  const timer = setInterval(() => print(`${doing} … ${seconds()} s`), everyMs)
  try {
    const result = await work()
    print(`${done} in ${seconds()} s.`)
    return result
  } finally {
    clearInterval(timer)
  }
}
