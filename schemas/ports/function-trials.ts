/** Calls of functions that their owners try. Types only. */
import type { TestFunctionReply } from '../generated.js'
import type { InstanceRow } from './instances.js'

export interface FunctionTrials {
  /**
   * Calls a function with arguments as a model writes them. It need not be active. What a model would be told of an error is a reply too.
   * @throws GatewayError FUNCTION_NOT_FOUND; INVALID_REQUEST: it has errors
   */
  run(
    instance: Pick<InstanceRow, 'id' | 'name' | 'owner'>,
    id: string,
    given: {
      /** JSON. */
      readonly arguments: string
      /** Values of reserved placeholders of the chat. */
      readonly placeholders: Readonly<Record<string, string>>
    },
  ): Promise<TestFunctionReply>
}
