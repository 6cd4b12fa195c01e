/**
 * Resolves with the result of the work, or with that of `late` if the work takes longer. The work goes on then; its result is dropped.
 * @throws the error of the work, or that of `late`
 */
export async function withTimeLimit<T, L>(work: Promise<T>, limitMs: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  try {
    return await Promise.race([work, limit.then(late)])
  } finally {
    clearTimeout(timer)
  }
}
