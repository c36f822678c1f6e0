/** Days during which a deleted space can be restored. */
export const retentionDays = 7;
