import { type ApiOperation, listOperations } from './operations.js'
import { gatewayUrl } from './places.js'
import { isObject, readProblem } from './problem.js'

export interface DocumentedOperation {
  readonly name: string
  readonly summary: string
  readonly scope: 'read' | 'send'
  /** False if a key for one chat may not make the call. */
  readonly isForOneChat: boolean
}

const KEY_SENTENCE = /^A key needs the scope `(read|send)`(, for all chats)?\.$/

/** Reads which operations a key may call from the OpenAPI document. @throws Problem */
export async function readApiDocument(signal: AbortSignal): Promise<readonly DocumentedOperation[]> {
  return listKeyOperations(await readDocument(signal))
}

/** Reads all operations that take a token and answer once. @throws Problem */
export async function readOperations(signal: AbortSignal): Promise<readonly ApiOperation[]> {
  return listOperations(await readDocument(signal))
}

async function readDocument(signal: AbortSignal): Promise<unknown> {
  const response = await fetch(`${gatewayUrl}/openapi.json`, { signal, credentials: 'omit', redirect: 'error' })
  if (!response.ok) throw await readProblem(response)
  return response.json()
}

/** Returns the operations of the document that a key may call, in its order. */
function listKeyOperations(document: unknown): DocumentedOperation[] {
  const paths = isObject(document) && isObject(document.paths) ? Object.values(document.paths) : []
  return paths
    .flatMap((methods) => (isObject(methods) ? Object.values(methods) : []))
    .flatMap((operation) => {
      if (!isObject(operation)) return []
      const { operationId, summary = '', description = '' } = operation
      const [, scope, allChats] = KEY_SENTENCE.exec(String(description)) ?? []
      if (typeof operationId !== 'string' || (scope !== 'read' && scope !== 'send')) return []
      return [{ name: operationId, summary: String(summary), scope, isForOneChat: allChats === undefined }]
    })
}
