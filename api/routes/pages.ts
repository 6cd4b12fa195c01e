/** Reads the page of a list that a caller names, by `page` and `pageSize` or by `limit` and `offset`, and answers in all of them. */

export interface AskedPage {
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export interface Pagination {
  readonly totalRecords: number
  readonly pageSize: number
  readonly currentPage: number
  readonly totalPages: number
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

/** Returns the page. `limit` and `offset` win over the others. */
export function readPaging(asked: AskedPage, pageSizeDefault: number): { limit: number; offset: number } {
  const limit = asked.limit ?? asked.pageSize ?? pageSizeDefault
  return { limit, offset: asked.offset ?? ((asked.page ?? 1) - 1) * limit }
}

export function makePagination(totalRecords: number, { limit, offset }: { limit: number; offset: number }): Pagination {
  return {
    totalRecords,
    pageSize: limit,
    currentPage: Math.floor(offset / limit) + 1,
    totalPages: Math.ceil(totalRecords / limit),
    hasNextPage: offset + limit < totalRecords,
    hasPreviousPage: offset > 0 && totalRecords > 0,
  }
}
