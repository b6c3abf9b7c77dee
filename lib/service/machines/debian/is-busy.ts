/** Scripts that start a job exit with this while another one is running on the server. */
export const isBusy = 73
