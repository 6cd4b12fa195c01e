// Ours: names of our own metrics.

/**
 * Merges the metrics of several processes, as text for Prometheus, whose samples differ by a label. They are not summed: the sum of counters
 * falls when one process starts again, and Prometheus would count what is left once more.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const blocks = new Map<string, string>()
  for (const text of texts) {
    for (const block of text.trimEnd().split('\n\n')) {
      const name = /^# HELP (\S+)/.exec(block)?.[1] ?? block
      const former = blocks.get(name)
      const [, , ...samples] = block.split('\n')
      if (former === undefined) blocks.set(name, block)
      else if (samples.length > 0) blocks.set(name, [former, ...samples].join('\n'))
    }
  }
  return `${[...blocks.values()].join('\n\n')}\n`
}
