/** The columns of members.csv. */
export const memberColumns = ['email', 'role', 'sso', 'teams'] as const;
