# Several sources compiled as one read the headers once: a whole build takes less time. GRADUS_GROUPS does it to tests
# (tests/CMakeLists.txt), to the program and to chapter 11's files, which compute little; the preset asan to all sources. Sources with options of their own stay alone, and these, because a
# neighbour has a name of theirs. `make check-compilers` compiles every file alone.
set(alone
    chapters/11_translator/data/multi30k.cpp app/commands/score_command.cpp
    app/options/shared_options.cpp app/serve/connection.cpp
    app/serve/http_server_httplib.cpp app/serve/request_guard.cpp
    app/serve/translate_query.cpp app/terminal/interrupt.cpp
    chapters/11_translator/storage/model_files.cpp chapters/11_translator/training/record/run_timing.cpp
    app/report/training_report.cpp lib/gradus/plot/heat_axes.cpp lib/gradus/plot/heat_map.cpp
    lib/gradus/plot/line_chart.cpp lib/gradus/plot/svg.cpp lib/gradus/ranks/launcher.cpp
    tests/chapters/01_embedding/vocabulary_test.cpp tests/chapters/06_feed_forward/twins_test.cpp
    tests/chapters/09_transformer/int8_test.cpp tests/chapters/10_training/kernels_test.cpp
    tests/chapters/10_training/ranks_test.cpp tests/chapters/10_training/step_test.cpp
    tests/chapters/10_training/trainer_test.cpp tests/chapters/10_training/tying_test.cpp
    tests/chapters/11_translator/bad_lines_test.cpp tests/chapters/11_translator/help_test.cpp
    tests/chapters/11_translator/score_pairs_test.cpp tests/chapters/11_translator/search_batches_test.cpp
    tests/chapters/11_translator/search_rules_test.cpp tests/chapters/11_translator/search_test.cpp
    tests/chapters/11_translator/serve_options_test.cpp tests/chapters/11_translator/shared_results_test.cpp
    tests/chapters/11_translator/training_history_test.cpp tests/chapters/11_translator/training_recipe_test.cpp
    tests/chapters/11_translator/translate_ids_test.cpp tests/chapters/11_translator/translate_options_test.cpp
    tests/lib/gpu/block_test.cpp tests/lib/gpu/branches_test.cpp tests/lib/gpu/dropout_test.cpp
    tests/lib/gpu/products_each_test.cpp tests/lib/io/safetensors_test.cpp tests/lib/io/strict_json_test.cpp
    tests/lib/ops/exp_test.cpp tests/lib/text/packed_file_test.cpp
    # Tests bring functions of their own in the place of these files.
    chapters/11_translator/translator/translator_engine.cpp chapters/11_translator/training/train_on.cpp
    # tests/cuda_standin takes these objects as they are.
    tests/chapters/10_training/kernels_training_test.cpp tests/chapters/11_translator/kernels_search_test.cpp)
if(NOT GRADUS_TESTS)
  list(FILTER alone EXCLUDE REGEX "^tests/")
endif()
if(NOT GRADUS_PROGRAM)
  list(FILTER alone EXCLUDE REGEX "^(chapters/11|app)")
endif()
foreach(file IN LISTS alone)
  get_filename_component(folder ${PROJECT_SOURCE_DIR}/${file} DIRECTORY)
  while(NOT EXISTS ${folder}/CMakeLists.txt)
    get_filename_component(folder ${folder} DIRECTORY)
  endwhile()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/${file} DIRECTORY ${folder} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()
