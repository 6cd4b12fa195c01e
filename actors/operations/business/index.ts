import { addProduct, changeProduct, deleteProduct, hideProduct, listCatalog, showProduct } from './catalog.js'
import { showOrder } from './order.js'
import { changeBusinessProfile, listBusinessCategories, showBusinessProfile } from './profile.js'

export const businessOperations = [
  addProduct,
  changeBusinessProfile,
  changeProduct,
  deleteProduct,
  hideProduct,
  listBusinessCategories,
  listCatalog,
  showBusinessProfile,
  showOrder,
  showProduct,
] as const
