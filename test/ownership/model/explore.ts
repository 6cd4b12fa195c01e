/** Walks through every state that a small model can be in, the nearest first, so that the story of a failure is the shortest one. */

export interface Model<State> {
  readonly initial: State
  /** Every step that can be next, with its name. */
  steps(state: State): Iterable<readonly [name: string, next: State]>
  isBad(state: State): boolean
  /** Equal for equal states only. */
  key(state: State): string
}

export interface Explored {
  readonly states: number
  /** The steps to the nearest bad state. */
  readonly story: readonly string[] | undefined
}

/** @throws when there are more than `statesMax` states. */
export function explore<State>(model: Model<State>, statesMax = 3_000_000): Explored {
  const seen = new Set<string>([model.key(model.initial)])
  const found: { readonly state: State; readonly from: number; readonly step: string }[] = [
    { state: model.initial, from: -1, step: '' },
  ]
  for (let index = 0; index < found.length; index++) {
    for (const [step, state] of model.steps(found[index]!.state)) {
      const key = model.key(state)
      if (seen.has(key)) continue
      seen.add(key)
      found.push({ state, from: index, step })
      if (model.isBad(state)) return { states: found.length, story: tellStory(found, found.length - 1) }
      if (found.length > statesMax) throw new Error(`The model has more than ${statesMax} states.`)
    }
  }
  return { states: found.length, story: undefined }
}

function tellStory(
  found: readonly { readonly from: number; readonly step: string }[],
  last: number,
): readonly string[] {
  const story: string[] = []
  for (let at = last; at > 0; at = found[at]!.from) story.unshift(found[at]!.step)
  return story
}
