/** Days during which a deleted space can be restored (API description, section 3). */
export const retentionDays = 7;
