import {
  KNOWLEDGE_FILE_MAX_BYTES,
  type KnowledgeFileType,
  knowledgeFileType,
  knowledgeTypeOf,
} from '../../../schemas/agents/knowledge-content.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { Outgoing } from '../../outgoing/client.js'
import type { ExtractSource } from '../extract/extracted.js'

// Bound: 16,384, a header.

const TIMEOUT_MS = 20_000

/** Fetches a page or file through the address guard. @throws GatewayError URL_NOT_ALLOWED, FETCH_FAILED, INVALID_REQUEST (its type) */
export async function fetchSource(
  outgoing: Pick<Outgoing, 'get'>,
  instance: InstanceId,
  url: string,
  fileType: KnowledgeFileType | '',
): Promise<ExtractSource> {
  const { body, contentType } = await outgoing.get(url, {
    accept: 'text/html, application/pdf, text/csv, text/plain;q=0.9, */*;q=0.5',
    sizeMaxBytes: KNOWLEDGE_FILE_MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    owner: instance,
  })
  const charset = /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ?? ''
  // A server may name any type: the bytes decide whether it is a PDF.
  const isPdf = body.subarray(0, 1_024).includes('%PDF-')
  const named = knowledgeTypeOf(contentType)
  const type = knowledgeFileType(body, fileType || (isPdf || named === 'pdf' ? '' : named))
  return { type, bytes: body, charset }
}
