import { maskedHeaders } from '../../../schemas/function-headers.js'
import type { FunctionRecord } from '../../../schemas/generated.js'
import type { FunctionRow } from '../../../schemas/ports/records.js'

export function functionRecord(row: FunctionRow, owner: string): FunctionRecord {
  const { undocumented, headerError, bodyError, created, updated, parameters, ...fields } = row
  return {
    ...fields,
    headers: maskedHeaders(row.headers),
    method: fields.method as FunctionRecord['method'],
    parameters: [...parameters],
    undocumentedParameters: undocumented,
    header_error: headerError,
    body_error: bodyError,
    owner,
    created: created.toISOString(),
    updated: updated.toISOString(),
  }
}
