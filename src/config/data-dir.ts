/** Where a gateway keeps its books and its address, and the commands look for them, unless DATA_DIR says otherwise. */
export const defaultDataDir = '.tollgate'
