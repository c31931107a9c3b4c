using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.ObjectPool;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>JSON in and out. Writers are pooled and the length is known before the first byte leaves.</summary>
internal static class JsonBody
{
    private const string ContentType = "application/json; charset=utf-8";

    private static readonly ObjectPool<Draft> Drafts = new DefaultObjectPool<Draft>(new Draft.Policy(), maximumRetained: 256);

    /// <summary>Answers 200 with a value, or another status set before.</summary>
    public static ValueTask WriteAsync<T>(HttpContext http, in T value, JsonTypeInfo<T> type) => WriteAsync(http, value, type, ContentType);

    /// <summary>As above, with a content type of its own.</summary>
    public static ValueTask WriteAsync<T>(HttpContext http, in T value, JsonTypeInfo<T> type, string contentType)
    {
        var draft = Drafts.Get();
        try
        {
            JsonSerializer.Serialize(draft.Writer, value, type);
            draft.Writer.Flush();
            var response = http.Response;
            response.ContentType = contentType;
            response.ContentLength = draft.Bytes.WrittenCount;
            response.BodyWriter.Write(draft.Bytes.WrittenSpan);
        }
        finally
        {
            Drafts.Return(draft);
        }

        // the server flushes when the handler ends
        return ValueTask.CompletedTask;
    }

    private sealed class Draft
    {
        private const int Default = 512;
        private const int KeptAtMost = 65_536;

        // JSON goes to programs and never into a page: quotes in sentences stay readable
        private static readonly JsonWriterOptions WriterOptions = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

        public Draft() => Writer = new Utf8JsonWriter(Bytes, WriterOptions);

        public ArrayBufferWriter<byte> Bytes { get; } = new(Default);

        public Utf8JsonWriter Writer { get; }

        public sealed class Policy : PooledObjectPolicy<Draft>
        {
            public override Draft Create() => new();

            public override bool Return(Draft obj)
            {
                obj.Bytes.ResetWrittenCount();
                obj.Writer.Reset();
                return obj.Bytes.Capacity <= KeptAtMost;
            }
        }
    }
}
