/** The folder of styles and scripts, below the root. */
export const assetPath = '/_app/assets/';

export const signOutPath = '/sign-out';
