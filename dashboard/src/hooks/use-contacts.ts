/** Reads and changes the contacts of the account of the instance around the page. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AddContactRequest, ListContactsRequest } from '../../../schemas/generated.js'
import { call } from '../api/client.js'
import { requirePass } from './use-operation.js'
import { useInstanceEvents, useThisInstance } from './use-this-instance.js'

const PAGE = 100

/** Reads contacts by pages. Reads them again when the account learns of one. @param search part of a name or number; empty for all */
export function useContacts(contactScope: NonNullable<ListContactsRequest['contactScope']>, search: string) {
  const { id, credential, told } = useThisInstance()
  const client = useQueryClient()
  useInstanceEvents((event) => {
    if (event === 'open' || event.EventType === 'contacts')
      void client.invalidateQueries({ queryKey: ['contacts', id] })
  })
  return useInfiniteQuery({
    queryKey: ['contacts', id, contactScope, search],
    enabled: credential !== undefined && told.instance.owner !== '',
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call('listContacts', requirePass(credential), {
        body: { page, pageSize: PAGE, contactScope, ...(search === '' ? {} : { search }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    getNextPageParam: ({ pagination }) => (pagination.hasNextPage ? pagination.currentPage + 1 : undefined),
  })
}

export function useAddContact() {
  const { id, credential } = useThisInstance()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: AddContactRequest) => call('addContact', requirePass(credential), { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['contacts', id] }),
  })
}

export function useRemoveContact() {
  const { id, credential } = useThisInstance()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (number: string) => call('removeContact', requirePass(credential), { body: { number } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['contacts', id] }),
  })
}

export function useCheckNumbers() {
  const { credential } = useThisInstance()
  return useMutation({
    mutationFn: (numbers: readonly string[]) =>
      call('checkNumbers', requirePass(credential), { body: { numbers: [...numbers] } }),
  })
}
