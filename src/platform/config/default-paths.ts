/** Where a gateway keeps its books and its address, and the commands look for them, unless DATA_DIR says otherwise. */
export const defaultDataDir = '.tollgate'

/** The catalogue that is sold by, unless CATALOG_FILE names another. */
export const defaultCatalogFile = 'pricing/catalog.yaml'
