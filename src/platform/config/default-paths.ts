/**
 * Where a gateway keeps its books and its address, and where the commands look for them, without DATA_DIR.
 */
export const defaultDataDir = '.tollgate'

/** The catalog in use, without CATALOG_FILE. */
export const defaultCatalogFile = 'pricing/catalog.yaml'
