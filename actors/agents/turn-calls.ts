import type { CallRow, ToolResult, ToolSet } from '../../schemas/agents/tools.js'
import type { OpenTurn } from '../../schemas/agents/turns.js'
import { cut } from '../../schemas/cut.js'
import type { NextAct } from './loop.js'
import { durableCall } from './tools/durable-call.js'
import type { TurnContext } from './turn-ports.js'
import type { TurnWriter } from './turn-writer.js'

const NAME_MAX = 64

/** The turn has begun again or ended, so a call that has not begun must not be made. */
export class TurnOver extends Error {}

export interface CallOfTurn {
  readonly turn: OpenTurn
  readonly tools: ToolSet
  /** Values of the placeholders that the gateway fills. */
  readonly reserved: ReadonlyMap<string, string>
  readonly signal: AbortSignal
}

/** Makes the calls of turns, each of which is stored before it is made and with its result. */
export class TurnCalls {
  readonly #context: Pick<TurnContext, 'id' | 'reader'>
  readonly #writer: Pick<TurnWriter, 'call'>

  constructor(context: Pick<TurnContext, 'id' | 'reader'>, writer: Pick<TurnWriter, 'call'>) {
    this.#context = context
    this.#writer = writer
  }

  /**
   * Makes a call, or returns the result that it has. `former`: the rows of calls from before a crash or a hand-over.
   * @throws TurnOver, the reason of the signal, and errors of the store
   */
  async run(
    { turn, tools, reserved, signal }: CallOfTurn,
    { step, call, asked, refused }: Extract<NextAct, { kind: 'call' }>,
    former: readonly CallRow[],
  ): Promise<ToolResult> {
    const place = { turn: turn.id, generation: turn.generation, step, call }
    if (refused !== null) {
      await this.#writer.call(turn, { ...place, name: cut(asked.name, NAME_MAX), result: refused }, false)
      return refused
    }
    const isEffect = tools.mayHaveEffect(asked.name)
    const store = (row: CallRow): Promise<void> => this.#store(turn, row, isEffect)
    const known = former.find((row) => row.step === step && row.call === call) ?? null
    return await durableCall(tools, asked, { ...place, reserved, signal }, store, known)
  }

  /**
   * A message that comes from now on does not make the turn begin again, if the call changes something: the function would be called once
   * more. One that came before has made it begin again, so the call is not made.
   */
  async #store(turn: OpenTurn, row: CallRow, isEffect: boolean): Promise<void> {
    const isStart = row.result === null
    await this.#writer.call(turn, row, isStart ? isEffect : row.result.isEffect)
    if (!isStart || !isEffect) return
    const { id, reader } = this.#context
    const now = await reader.openTurn(id, turn.id)
    if (now?.generation !== turn.generation) throw new TurnOver()
  }
}
