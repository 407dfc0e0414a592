import PageStore
