import type { Route } from '../../route.js'
import {
  addProduct,
  changeProduct,
  deleteProduct,
  hideInCatalog,
  listCatalog,
  showInCatalog,
  showOrder,
  showProduct,
} from './catalog.js'
import { listBusinessCategories, showBusinessProfile, updateBusinessProfile } from './profile.js'

/** Routes of the area, in the order of the documentation. */
export const businessRoutes: readonly Route[] = [
  showBusinessProfile,
  listBusinessCategories,
  updateBusinessProfile,
  listCatalog,
  showProduct,
  addProduct,
  changeProduct,
  deleteProduct,
  showInCatalog,
  hideInCatalog,
  showOrder,
]
