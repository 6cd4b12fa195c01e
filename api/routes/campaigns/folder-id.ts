import { invalidField } from '../../../schemas/invalid-field.js'

/** Returns the id of the campaign of a request. @throws GatewayError INVALID_REQUEST */
export function folderIdOf({ folder_id: folderId, id }: { readonly folder_id?: string; readonly id?: string }): string {
  const named = folderId ?? id
  if (named === undefined) throw invalidField('folder_id', 'is required')
  return named
}
