/** The steps of a turn, rebuilt from what is stored, and the limits that follow from them. */
import type { CallRow, ToolResult } from '../../schemas/agents/tools.js'
import type { StepRecord } from '../../schemas/agents/turns.js'
import { type LoopLimits, type LoopStep, loopLimits } from './loop.js'
import { transferTool } from './tools/built-in.js'

export interface TurnStep extends LoopStep {
  readonly answer: StepRecord
}

/** Time of models and functions after which a turn gets its last answer. */
const WORK_MS = 120_000

/** Joins stored answers of the model with the results of their calls. A step ends before its first call without a result. */
export function rebuildSteps(records: readonly StepRecord[], calls: readonly CallRow[]): readonly TurnStep[] {
  return records.map((answer) => {
    const results: ToolResult[] = []
    for (const index of answer.calls.keys()) {
      const row = calls.find(({ step, call }) => step === answer.number && call === index)
      if (row === undefined || row.result === null) break
      results.push(row.result)
    }
    return { answer, results }
  })
}

/** Whether the model has handed the chat to a person, or is about to. */
export function asksForPerson(steps: readonly TurnStep[]): boolean {
  return steps.some(
    ({ answer, results }) =>
      results.some(({ transfer }) => transfer !== undefined) ||
      answer.calls.slice(results.length).some(({ name }) => name === transferTool.name),
  )
}

/** Adds the result of the next call to the last step. */
export function withResult(steps: readonly TurnStep[], result: ToolResult): readonly TurnStep[] {
  const last = steps.at(-1)
  return last === undefined ? steps : [...steps.slice(0, -1), { ...last, results: [...last.results, result] }]
}

/** Returns the limits of the loop. A turn that has worked for too long calls nothing more, and gets one more answer. */
export function measureSteps(steps: readonly TurnStep[], limits: LoopLimits = loopLimits): LoopLimits {
  let workMs = 0
  let calls = 0
  for (const [index, { answer, results }] of steps.entries()) {
    workMs += answer.ms
    for (const { record } of results) workMs += record.durationMs ?? 0
    calls += results.length
    if (workMs < WORK_MS) continue
    return {
      ...limits,
      stepsMax: Math.min(limits.stepsMax, index + 2),
      callsMax: Math.min(limits.callsMax, calls),
    }
  }
  return limits
}
