# gradus for people on other systems. The image contains the program, its models, and the libraries that it uses:
#
#     docker build -t gradus .
#     docker run --rm gradus translate "A dog runs through the snow."
#     docker run --rm -it gradus translate                                 one sentence after another
#     docker run --rm -it -p 127.0.0.1:8080:8080 gradus serve --host 0.0.0.0     a page, at http://127.0.0.1:8080/
#     docker run --rm -v "$PWD:/here" -w /here --user "$(id -u):$(id -g)" gradus train --help
FROM debian:12 AS base
ENV LANG=C.UTF-8
RUN apt-get update && apt-get install --yes --no-install-recommends git make
COPY scripts/packages /tmp/packages
RUN /tmp/packages program

# Further packages for developers; the devcontainer uses this stage.
FROM base AS develop
RUN /tmp/packages test check docs && useradd --create-home --shell /bin/bash gradus

FROM base AS build
WORKDIR /gradus
COPY . .
RUN cmake --preset release -DGRADUS_PORTABLE=ON -DGRADUS_TESTS=OFF \
  && make && cmake --install build/release --prefix /opt/gradus --strip

FROM debian:12-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates libcpp-httplib0.11 libcurl4 libedit2 libminizip1 libnettle8 libopenblas0-pthread libsentencepiece0 libutf8proc2 zlib1g \
  && rm -rf /var/lib/apt/lists/*
ENV LANG=C.UTF-8
COPY --from=build /opt/gradus /usr/local
RUN ldconfig
ENTRYPOINT ["gradus"]
CMD ["--help"]
